import type { EmbeddingModelV4Result } from '@ai-sdk/provider'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { fromNoAnswer, NoAnswer } from '#gateway/providers/collect-answer.ts'
import { ExchangeSeries } from '#gateway/providers/exchange-series.ts'
import type { AttemptFailure, AttemptOutcome, ProviderCall } from '#gateway/providers/provider.ts'
import type { Transport } from '#gateway/providers/transport.ts'
import { invalidAnswer, withoutSecrets } from '#gateway/providers/upstream-error.ts'
import { fromPackageError } from '#gateway/translation/stream-failure.ts'
import type { EmbeddingEngine } from './embedding-engine.ts'
import { type EmbeddingsCall, parseEmbeddings } from './parse-embeddings.ts'
import { renderEmbeddings } from './render-embeddings.ts'

/** Parts of one request that are under way at one time. */
const PARALLEL_CALLS = 4

type EmbeddingsAttemptParts = {
  readonly call: ProviderCall
  readonly engine: EmbeddingEngine
  readonly transport: Transport
}

/** Carries a failure out of the midst of several calls. */
class PartFailed extends Error {
  readonly failure: AttemptFailure

  constructor(failure: AttemptFailure) {
    super(failure.detail)
    this.failure = failure
  }
}

/** One embeddings request to an upstream of another protocol: in as many calls as the upstream's limit makes it. */
export class EmbeddingsAttempt {
  readonly #parts: EmbeddingsAttemptParts
  readonly #open = new Set<ExchangeSeries>()
  #isAborted = false

  constructor(parts: EmbeddingsAttemptParts) {
    this.#parts = parts
  }

  abort(): void {
    this.#isAborted = true
    for (const exchange of this.#open) exchange.abort()
  }

  async run(): Promise<AttemptOutcome | 'aborted'> {
    const { request, route } = this.#parts.call
    // The bytes were found to be JSON when the request came in.
    const parsed = parseEmbeddings(JSON.parse(request.bytes.toString('utf8')))
    if (!parsed.ok) return { kind: 'failed', failure: notAsked(parsed.refusal) }
    try {
      const results = await this.#embedAll(parsed.value)
      return this.#isAborted ? 'aborted' : await this.#toReply(results, parsed.value)
    } catch (error) {
      if (this.#isAborted) return 'aborted'
      if (!(error instanceof PartFailed)) throw error
      return { kind: 'failed', failure: withoutSecrets(error.failure, route.provider) }
    }
  }

  async #embedAll(call: EmbeddingsCall): Promise<EmbeddingModelV4Result[]> {
    const { engine, call: provided } = this.#parts
    const { provider, upstreamModel } = provided.route
    const probe = await this.#guard(null, () =>
      engine.embeddingModel({ provider, upstreamModel, fetch: neverFetch }),
    )
    const size = (await probe.maxEmbeddingsPerCall) ?? call.texts.length
    const parts: string[][] = []
    for (let at = 0; at < call.texts.length; at += size) parts.push(call.texts.slice(at, at + size))
    const results: EmbeddingModelV4Result[] = []
    let next = 0
    const work = async (): Promise<void> => {
      for (let index = next++; index < parts.length && !this.#isAborted; index = next++) {
        results[index] = await this.#embed(parts[index] ?? [], call)
      }
    }
    try {
      await Promise.all(Array.from({ length: PARALLEL_CALLS }, work))
    } finally {
      // One part that failed ends the others.
      for (const exchange of this.#open) exchange.abort()
    }
    return results
  }

  async #embed(texts: string[], { settings }: EmbeddingsCall): Promise<EmbeddingModelV4Result> {
    const { call, engine, transport } = this.#parts
    const { provider, upstreamModel } = call.route
    const exchange = new ExchangeSeries({
      transport,
      provider,
      requestId: call.requestId,
      completeBody: body => [body],
      statusMeant: engine.statusMeant,
    })
    this.#open.add(exchange)
    try {
      const result = await this.#guard(exchange, async () => {
        const model = await engine.embeddingModel({ provider, upstreamModel, fetch: exchange.fetch })
        return model.doEmbed({
          values: texts,
          ...(settings.dimensions === null ? {} : { dimensions: settings.dimensions }),
          providerOptions: engine.toOptions(settings, upstreamModel),
        })
      })
      if (result.embeddings.length === texts.length) return result
      throw new PartFailed(invalidAnswer(`${result.embeddings.length} embeddings of ${texts.length} texts`))
    } finally {
      this.#open.delete(exchange)
    }
  }

  /** Throws `PartFailed` for what is the upstream's doing or the caller's, and other errors as they are. */
  async #guard<Value>(exchange: ExchangeSeries | null, work: () => PromiseLike<Value>): Promise<Value> {
    try {
      return await work()
    } catch (error) {
      if (exchange?.failure) throw new PartFailed(exchange.failure)
      if (error instanceof NoAnswer) throw new PartFailed(fromNoAnswer(error))
      if (exchange?.wasSent) throw new PartFailed(fromPackageError(error, this.#parts.engine.statusMeant))
      if (error instanceof Error && error.name === 'AI_InvalidArgumentError') {
        const refusal = refusals.notCarriedOver('dimensions', 'the upstream of this model has no such number')
        throw new PartFailed(notAsked(refusal))
      }
      throw error
    }
  }

  async #toReply(
    results: readonly EmbeddingModelV4Result[],
    { isBase64, settings, unused }: EmbeddingsCall,
  ): Promise<AttemptOutcome> {
    const { engine, call } = this.#parts
    const counts = results.map(result => engine.tokensOf(result))
    // Part of a count is none: what is missing would be free.
    const tokens = counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
    const { model } = call.request
    const embeddings = results.flatMap(result => result.embeddings)
    const ignored = settings.inputType !== null && !engine.takesInputType ? [...unused, 'input_type'] : unused
    return {
      kind: 'reply',
      reply: {
        pieces: await renderEmbeddings({ embeddings, isBase64, model, tokens }),
        usage:
          tokens === null
            ? null
            : { buckets: { input: tokens, cache_read: 0, cache_write: 0, output: 0 }, anomaly: null },
        outputText: '',
        warnings: ignored.map(field => `not passed on: ${field}`),
      },
    }
  }
}

const neverFetch: typeof globalThis.fetch = async () => {
  throw new Error('Only asked for its limit')
}

/** Another route may lead to an upstream that can be told. */
function notAsked(error: ServiceError): AttemptFailure {
  return { error, tryElsewhere: true, wasNotAsked: true, detail: error.message }
}
