import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { ServiceError } from '#contract/errors.ts'
import type { TokenBuckets } from '#contract/usage.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { NeutralCall } from './neutral-call.ts'

/**
 * A way to ask for answers, seen from the caller's side: it reads a body into a neutral call and writes neutral answers
 * as the caller expects them. It knows nothing of upstreams, as engines know nothing of dialects.
 */
export type TranslatedDialect = {
  /**
   * Reads a body that was checked as far as routing needs it. What can't be said in a neutral call is refused with a
   * 400 that names the field (`refusals.notCarriedOver`), never dropped. Pure, and quick for any body: big strings in it
   * are stand-ins (`lifted-strings.ts`), to be handed on whole and never looked into.
   */
  parse(body: unknown): Outcome<TranslatedRequest, ServiceError>
}

/** One request in a dialect, with all that its answer has to repeat of it. */
export type TranslatedRequest = {
  readonly call: NeutralCall
  /** The whole answer as JSON. */
  renderReply(answer: NeutralAnswer, context: RenderContext): string
  createRenderer(context: RenderContext): StreamRenderer
}

export type RenderContext = {
  readonly requestId: string
  /** The name that the caller asked for. */
  readonly model: string
  /** When the answer began, in milliseconds since 1970. */
  readonly nowMs: number
}

/** What an answer used, for showing: the buckets are those of the charge. */
export type AnswerUsage = {
  readonly buckets: TokenBuckets
  /** How much of the output was reasoning; 0 where the upstream does not tell. */
  readonly reasoningTokens: number
}

export type NeutralAnswer = {
  readonly content: readonly LanguageModelV4Content[]
  /** Where the call asked for JSON and not all of the text is that: the JSON alone. */
  readonly structuredOutputText?: string
  /** Never `error` or `interrupted`: those are failures, and no answers. */
  readonly finishReason: LanguageModelV4FinishReason
  /** null when the upstream reported none. */
  readonly usage: AnswerUsage | null
}

/** The parts that make up an answer. Failures, warnings and the finish are for the exchange. */
export type AnswerPart = Exclude<
  LanguageModelV4StreamPart,
  { readonly type: 'stream-start' | 'error' | 'raw' | 'finish' | 'ping' }
>

/** Writes the events of one stream. Every method gives the text of whole events; '' when there is nothing to say. */
export type StreamRenderer = {
  /** The number of the next event, in dialects that number them. */
  readonly nextEventNumber?: number
  /** What goes out before any content. Called once, first. */
  begin(): string
  /**
   * A part of the answer. What it gives goes to the client at once, so nothing of it may say that the answer is
   * complete.
   */
  render(part: AnswerPart): string
  /** All that completes the answer: it is held back until the charge is committed. Called once, last. */
  finish(ending: Pick<NeutralAnswer, 'finishReason' | 'usage'>): string
}
