import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { ServiceError } from '#contract/errors.ts'
import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import type { InputBuckets, ReportedUsage } from '#gateway/metering/usage.ts'
import type { StatusMeant } from '#gateway/providers/upstream-error.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { NeutralCall } from './neutral-call.ts'

/** A model at an upstream, as one call reaches it. */
export type Connection = {
  readonly provider: CatalogProvider
  readonly upstreamModel: string
  /** Carries the one exchange that the call is. */
  readonly fetch: typeof globalThis.fetch
}

/** A call in the words of one upstream. */
export type AdaptedCall = {
  readonly options: LanguageModelV4CallOptions
  /** What of the call changes nothing at this upstream: the caller is told. */
  readonly unused: readonly string[]
  /**
   * What must stand in the upstream's body, each with the caller's name for it: packages leave some settings out, or
   * weaken them, for models that refuse them.
   */
  readonly mustBeSent: readonly SentMember[]
}

/** `anyOf`: how the member may begin in the body, such as `"temperature":`. */
export type SentMember = { readonly anyOf: readonly string[]; readonly field: string }

/** A protocol of upstreams: an AI SDK package with all that has to be known beside it. */
export type Engine = {
  /** Refuses what the upstream can't be told with a 400 that names the caller's field. */
  adapt(call: NeutralCall, upstreamModel: string): Outcome<AdaptedCall, ServiceError>
  /** The model for one exchange. The package behind it is loaded with the first call. */
  languageModel(connection: Connection): Promise<LanguageModelV4>
  /**
   * The upstream's own report as buckets; null when it reports nothing. `model` is the upstream's name for it; some put
   * the report elsewhere, where packages hand it on as metadata.
   */
  readUsage(raw: unknown, model: string, metadata?: SharedV4ProviderMetadata): ReportedUsage | null
  /** The input alone, where a part of a stream tells it ahead of the answer. */
  readInputUsage?(part: LanguageModelV4StreamPart): InputBuckets | null
  readonly statusMeant?: StatusMeant
  /** Stands in the last events of a stream, for packages that say that it is over when the connection is closed. */
  readonly finalMark?: string
  /** Whether the package signs the body, so that nothing in it may be a stand-in. */
  readonly signsBody?: boolean
}
