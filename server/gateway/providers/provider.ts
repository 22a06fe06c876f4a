import type { ServiceError } from '#contract/errors.ts'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { GenerationRequest } from '#gateway/generation-request.ts'
import type { InputBuckets, ReportedUsage } from '#gateway/metering/usage.ts'
import type { Piece } from '#lib/pieces.ts'

/** One attempt to have a request answered by one upstream. */
export type ProviderCall = {
  readonly request: GenerationRequest
  readonly route: CatalogRoute
  readonly requestId: string
}

/** Why an attempt came to nothing. */
export type AttemptFailure = {
  /** What the caller is told if no other route answers. */
  readonly error: ServiceError
  /** False when the request itself was refused: another upstream would refuse it too. */
  readonly tryElsewhere: boolean
  /** The upstream was never asked: the failure says nothing against its route. */
  readonly wasNotAsked?: true
  /** There was no connection, or it broke. */
  readonly wasUnreachable?: true
  /** The status of its answer; left out where there was none, or one of success. */
  readonly upstreamStatus?: number
  /** The status that it means, which may stand within an answer of another; left out where it gave no error. */
  readonly meantStatus?: number
  /** How long it wants to be left alone, if it said so. */
  readonly retryAfterSeconds?: number
  /** For the log; never shown to a caller. */
  readonly detail: string
}

/** A complete answer, ready to be sent: in the caller's dialect and under the model's public name. */
export type ProviderReply = {
  /** In pieces, so that a big one is never copied. */
  readonly pieces: readonly Piece[]
  /** The upstream's own report of its usage; null when it gave none. */
  readonly usage: ReportedUsage | null
  /** How many units the upstream reported or answered with; null where it does not tell. */
  readonly unitCount?: number | null
  /** The generated text, read only when the report is missing. */
  readonly outputText: string
  /** JSON unless it says otherwise. */
  readonly contentType?: string | undefined
  /** What the caller has to be told beside the answer. */
  readonly warnings?: readonly string[]
}

/** What has been seen of a stream so far: metering and the rules for streams that break off read this. */
export type StreamReading = {
  /** The upstream's latest report; null when it gave none yet. */
  readonly usage: ReportedUsage | null
  /** What the upstream reported of the input alone, ahead of the rest; read only when there is no whole report. */
  readonly inputUsage?: InputBuckets | null
  /** The number of the next event, in protocols that number them. */
  readonly nextEventNumber?: number
  /** The generated text that was handed on; of a complete stream, all of it. */
  readonly outputText: string
  /** Whether a text, refusal, reasoning or tool-call delta was handed on. */
  readonly hasContent: boolean
}

/** How a stream ended upstream. */
export type StreamEnding =
  /** Every choice has its finish reason. `lastBytes` were held back: they go out when the charge is on the ledger. */
  | { readonly kind: 'complete'; readonly lastBytes: Buffer }
  | { readonly kind: 'broken'; readonly failure: AttemptFailure }

export type StreamConsumer = {
  /** Bytes for the client. Never called again after `end`. */
  data(bytes: Buffer): void
  end(ending: StreamEnding): void
}

/** A stream whose first event is there and is no error. Nothing flows until it is started. */
export type ProviderStream = {
  readonly reading: StreamReading
  /** Events unless it says otherwise. */
  readonly contentType?: string
  /** What the caller has to be told beside the answer. */
  readonly warnings?: readonly string[]
  start(consumer: StreamConsumer): void
  pause(): void
  resume(): void
  /** Closes the upstream connection; nothing is told to the consumer after it. */
  cancel(): void
}

export type AttemptOutcome =
  | { readonly kind: 'reply'; readonly reply: ProviderReply }
  | { readonly kind: 'stream'; readonly stream: ProviderStream }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure }

/** An attempt that is under way. */
export type Attempt = {
  readonly outcome: Promise<AttemptOutcome>
  /** Breaks the attempt off, closing the upstream connection; its outcome never settles after it. */
  abort(): void
}

/** One kind of upstream: a value with a fixed contract, that owns all its oddness. */
export type Provider = {
  attempt(call: ProviderCall): Attempt
  close(): Promise<void>
}

/** Providers by the kind that the catalogue names. */
export type Providers = ReadonlyMap<string, Provider>
