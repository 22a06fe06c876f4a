import type { ReadableStream, ReadableStreamDefaultReader } from 'node:stream/web'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { ExchangeSeries } from '#gateway/providers/exchange-series.ts'
import type {
  AttemptFailure,
  AttemptOutcome,
  ProviderStream,
  StreamConsumer,
  StreamEnding,
} from '#gateway/providers/provider.ts'
import { invalidAnswer, withoutSecrets } from '#gateway/providers/upstream-error.ts'
import type { StreamRenderer } from './dialect.ts'
import type { Engine } from './engine.ts'
import { fromPackageError, isCompletion } from './stream-failure.ts'
import { TranslatedReading, warningTexts } from './translated-reading.ts'

export type TranslatedStreamParts = {
  readonly renderer: StreamRenderer
  readonly engine: Engine
  readonly route: CatalogRoute
  readonly exchange: ExchangeSeries
  readonly warnings: readonly string[]
}

/** How far a stream is after a part. */
type Step = 'silent' | 'begun' | { readonly ending: StreamEnding }

/** Reads a stream up to its first part that is an answer, so that an upstream that fails at once can be left. */
export async function openTranslatedStream(
  stream: LanguageModelStream,
  parts: TranslatedStreamParts,
): Promise<AttemptOutcome> {
  const opened = new TranslatedStream(stream, parts)
  const failure = await opened.readAhead()
  return failure ? { kind: 'failed', failure } : { kind: 'stream', stream: opened }
}

type LanguageModelStream = Pick<ReadableStream<LanguageModelV4StreamPart>, 'getReader'>

/** A stream of neutral parts on its way to the caller. Parts that come at once go out in one piece. */
class TranslatedStream implements ProviderStream {
  readonly reading = new TranslatedReading()
  readonly warnings: string[]
  readonly #parts: TranslatedStreamParts
  readonly #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>
  #consumer: StreamConsumer | null = null
  /** Text that was rendered and has not gone out. */
  #text: string
  #flush: NodeJS.Immediate | null = null
  #ending: StreamEnding | null = null
  #lastError: AttemptFailure | null = null
  #isPaused = false
  #isPumping = false
  #isOver = false
  #hasBegun = false

  constructor(stream: LanguageModelStream, parts: TranslatedStreamParts) {
    this.#reader = stream.getReader()
    this.#parts = parts
    this.warnings = [...parts.warnings]
    this.#text = ''
  }

  /** Gives the failure of a stream that never became an answer. */
  async readAhead(): Promise<AttemptFailure | null> {
    for (;;) {
      const step = await this.#step()
      if (step === 'silent') continue
      if (step === 'begun') return null
      if (step.ending.kind === 'broken') return step.ending.failure
      this.#ending = step.ending
      return null
    }
  }

  start(consumer: StreamConsumer): void {
    this.#consumer = consumer
    if (this.#ending) this.#end(this.#ending)
    else {
      this.#flush = setImmediate(() => this.#handOn())
      void this.#pump()
    }
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    void this.#pump()
  }

  cancel(): void {
    this.#isOver = true
    if (this.#flush) clearImmediate(this.#flush)
    this.#parts.exchange.abort()
    this.#reader.cancel().catch(() => {})
  }

  async #pump(): Promise<void> {
    if (this.#isPumping || !this.#consumer) return
    this.#isPumping = true
    while (!this.#isPaused && !this.#isOver) {
      const step = await this.#step()
      if (this.#isOver) break
      if (typeof step === 'object') this.#end(step.ending)
      else if (this.#text !== '') this.#flush ??= setImmediate(() => this.#handOn())
    }
    this.#isPumping = false
  }

  #handOn(): void {
    if (this.#flush) clearImmediate(this.#flush)
    this.#flush = null
    const text = this.#text
    this.#text = ''
    if (text !== '' && !this.#isOver) this.#consumer?.data(Buffer.from(text))
  }

  #end(ending: StreamEnding): void {
    this.#handOn()
    // The consumer may have gone with what it was just handed.
    if (this.#isOver) return
    this.#isOver = true
    if (ending.kind === 'broken') this.#parts.exchange.abort()
    else this.#parts.exchange.letGo()
    this.#consumer?.end(ending)
  }

  async #step(): Promise<Step> {
    try {
      const { done, value } = await this.#reader.read()
      return done ? { ending: this.#broken('the stream broke off') } : this.#take(value)
    } catch (error) {
      this.#lastError ??= fromPackageError(error, this.#parts.engine.statusMeant)
      return { ending: this.#broken('the stream broke off') }
    }
  }

  #take(part: LanguageModelV4StreamPart): Step {
    const { engine, renderer } = this.#parts
    switch (part.type) {
      case 'stream-start':
        this.warnings.push(...warningTexts(part.warnings))
        return 'silent'
      case 'raw':
      case 'ping':
        return 'silent'
      case 'error':
        // Protocols grow by events that packages do not know yet, and say of such that they are to be passed over.
        if (isUnknownEvent(part.error)) return 'silent'
        this.#lastError ??= fromPackageError(part.error, engine.statusMeant)
        return { ending: this.#broken('an error within the stream') }
      case 'finish':
        return { ending: this.#finished(part) }
    }
    this.reading.inputUsage = engine.readInputUsage?.(part) ?? this.reading.inputUsage
    this.#text += this.#begin() + renderer.render(part)
    this.reading.nextEventNumber = renderer.nextEventNumber ?? 0
    this.reading.note(part)
    // Some packages tell of the response before anything of it has come.
    return part.type === 'response-metadata' ? 'silent' : 'begun'
  }

  #finished(part: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): StreamEnding {
    const { finishReason, usage, providerMetadata } = part
    const { engine, renderer, route } = this.#parts
    if (!isCompletion(finishReason)) {
      return this.#broken(`the upstream ended with ${finishReason.raw ?? finishReason.unified}`)
    }
    const reported = engine.readUsage(usage.raw, route.upstreamModel, providerMetadata)
    this.reading.usage = reported
    const reasoningTokens = usage.outputTokens.reasoning ?? 0
    const begun = this.#begin()
    const text = renderer.finish({
      finishReason,
      usage: reported && { buckets: reported.buckets, reasoningTokens },
    })
    return { kind: 'complete', lastBytes: Buffer.from(begun + text) }
  }

  /** What goes out before the first part; nothing from then on. */
  #begin(): string {
    if (this.#hasBegun) return ''
    this.#hasBegun = true
    return this.#parts.renderer.begin()
  }

  #broken(detail: string): StreamEnding {
    const { exchange, route } = this.#parts
    // What went wrong on the wire says more than what the package made of it.
    const failure = exchange.failure ?? this.#lastError ?? invalidAnswer(detail)
    return { kind: 'broken', failure: withoutSecrets(failure, route.provider) }
  }
}

function isUnknownEvent(error: unknown): boolean {
  return error instanceof Error && error.name === 'AI_TypeValidationError'
}
