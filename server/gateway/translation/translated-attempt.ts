import type { LanguageModelV4GenerateResult, LanguageModelV4StreamResult } from '@ai-sdk/provider'
import type { ServiceError } from '#contract/errors.ts'
import { fromNoAnswer, NoAnswer } from '#gateway/providers/collect-answer.ts'
import { ExchangeSeries } from '#gateway/providers/exchange-series.ts'
import type { AttemptFailure, AttemptOutcome, ProviderCall } from '#gateway/providers/provider.ts'
import type { Transport } from '#gateway/providers/transport.ts'
import { invalidAnswer, withoutSecrets } from '#gateway/providers/upstream-error.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { refuseAddresses } from './adapt-call.ts'
import type { NeutralAnswer, RenderContext, TranslatedDialect, TranslatedRequest } from './dialect.ts'
import type { AdaptedCall, Engine } from './engine.ts'
import { type LiftedBody, liftStrings, unliftedBody } from './lifted-strings.ts'
import { refusalBeforeSending, requireMembers } from './sent-members.ts'
import { fromPackageError, isCompletion } from './stream-failure.ts'
import { answerText, warningTexts } from './translated-reading.ts'
import { openTranslatedStream } from './translated-stream.ts'

export type TranslatedAttemptParts = {
  readonly call: ProviderCall
  readonly dialect: TranslatedDialect
  readonly engine: Engine
  readonly transport: Transport
}

/** What is known once the request has been read and can be said to the upstream. */
type Prepared = {
  readonly request: TranslatedRequest
  readonly adapted: AdaptedCall
  readonly body: LiftedBody
  /** What of the request is not said to the upstream, since it changes no answer there. */
  readonly warnings: readonly string[]
}

type Called =
  | { readonly kind: 'generated'; readonly result: LanguageModelV4GenerateResult }
  | { readonly kind: 'streaming'; readonly result: LanguageModelV4StreamResult }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure }

/** One call to an upstream of another protocol, from the caller's body to an outcome. */
export class TranslatedAttempt {
  readonly #parts: TranslatedAttemptParts
  #exchange: ExchangeSeries | null = null
  #isAborted = false

  constructor(parts: TranslatedAttemptParts) {
    this.#parts = parts
  }

  abort(): void {
    this.#isAborted = true
    this.#exchange?.abort()
  }

  async run(): Promise<AttemptOutcome | 'aborted'> {
    const prepared = this.#prepare()
    const outcome = prepared.ok
      ? await this.#runPrepared(prepared.value)
      : { kind: 'failed' as const, failure: notAsked(prepared.refusal) }
    if (this.#isAborted) return 'aborted'
    if (outcome.kind !== 'failed') return outcome
    return { kind: 'failed', failure: withoutSecrets(outcome.failure, this.#parts.call.route.provider) }
  }

  #prepare(): Outcome<Prepared, ServiceError> {
    const { call, dialect, engine } = this.#parts
    const { bytes } = call.request
    const body = engine.signsBody ? unliftedBody(bytes) : liftStrings(bytes)
    // The bytes were found to be JSON when the request came in.
    const request = dialect.parse(JSON.parse(body.json))
    if (!request.ok) return refused(request.refusal)
    const adapted = engine.adapt(request.value.call, call.route.upstreamModel)
    if (!adapted.ok) return refused(adapted.refusal)
    const unused = [...request.value.call.unused, ...adapted.value.unused]
    return accepted({
      request: request.value,
      adapted: adapted.value,
      body,
      warnings: unused.map(field => `not passed on: ${field}`),
    })
  }

  async #runPrepared(prepared: Prepared): Promise<AttemptOutcome> {
    const exchange = this.#openExchange(prepared)
    const called = await this.#call(exchange, prepared)
    switch (called.kind) {
      case 'failed':
        return called
      case 'generated':
        return this.#toReply(called.result, prepared)
      case 'streaming':
        return openTranslatedStream(called.result.stream, {
          renderer: prepared.request.createRenderer(this.#context()),
          engine: this.#parts.engine,
          route: this.#parts.call.route,
          warnings: prepared.warnings,
          exchange,
        })
    }
  }

  #openExchange({ adapted, body }: Prepared): ExchangeSeries {
    const { call, transport, engine } = this.#parts
    this.#exchange = new ExchangeSeries({
      transport,
      provider: call.route.provider,
      requestId: call.requestId,
      completeBody: bytes => {
        requireMembers(bytes, adapted.mustBeSent)
        return body.completeBody(bytes)
      },
      statusMeant: engine.statusMeant,
      finalMark: engine.finalMark,
    })
    if (this.#isAborted) this.#exchange.abort()
    return this.#exchange
  }

  /** Throws what is no upstream's doing. */
  async #call(exchange: ExchangeSeries, { adapted, request }: Prepared): Promise<Called> {
    const { engine, call } = this.#parts
    const { provider, upstreamModel } = call.route
    try {
      const model = await engine.languageModel({ provider, upstreamModel, fetch: exchange.fetch })
      const refusal = refuseAddresses(request.call, await model.supportedUrls)
      if (refusal) return { kind: 'failed', failure: notAsked(refusal) }
      return call.request.stream
        ? { kind: 'streaming', result: await model.doStream(adapted.options) }
        : { kind: 'generated', result: await model.doGenerate(adapted.options) }
    } catch (error) {
      // What went wrong on the wire says more than what the package made of it.
      if (exchange.failure) return { kind: 'failed', failure: exchange.failure }
      if (error instanceof NoAnswer) return { kind: 'failed', failure: fromNoAnswer(error) }
      if (exchange.wasSent) return { kind: 'failed', failure: fromPackageError(error, engine.statusMeant) }
      const refusal = refusalBeforeSending(error, request.call.fieldNames.prompt ?? 'body')
      if (!refusal) throw error
      return { kind: 'failed', failure: notAsked(refusal) }
    }
  }

  #toReply(result: LanguageModelV4GenerateResult, { request, warnings }: Prepared): AttemptOutcome {
    const { content, finishReason, structuredOutputText } = result
    if (!isCompletion(finishReason)) {
      const reason = `the upstream ended with ${finishReason.raw ?? finishReason.unified}`
      return { kind: 'failed', failure: invalidAnswer(reason) }
    }
    const { engine, call } = this.#parts
    const usage = engine.readUsage(result.usage.raw, call.route.upstreamModel, result.providerMetadata)
    const reasoningTokens = result.usage.outputTokens.reasoning ?? 0
    const answer: NeutralAnswer = {
      content,
      ...(structuredOutputText === undefined ? {} : { structuredOutputText }),
      finishReason,
      usage: usage && { buckets: usage.buckets, reasoningTokens },
    }
    return {
      kind: 'reply',
      reply: {
        pieces: [Buffer.from(request.renderReply(answer, this.#context()))],
        usage,
        outputText: usage === null ? answerText(content) : '',
        warnings: [...warnings, ...warningTexts(result.warnings)],
      },
    }
  }

  #context(): RenderContext {
    const { request, requestId } = this.#parts.call
    return { requestId, model: request.model, nowMs: Date.now() }
  }
}

/** Another route may lead to an upstream that can be told. */
function notAsked(error: ServiceError): AttemptFailure {
  return { error, tryElsewhere: true, wasNotAsked: true, detail: error.message }
}
