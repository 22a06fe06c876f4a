import type { ProviderTimeouts } from '#contract/catalog.ts'
import type { EndpointName } from '#contract/usage.ts'
import type { PinnedUnitWeights } from '#domains/billing/unit-weights.ts'
import type { PinnedWeights } from '#domains/billing/weights.ts'

/** A provider as the gateway calls it. The credential is in the clear here, and only here. */
export type CatalogProvider = {
  readonly id: string
  readonly name: string
  readonly kind: string
  /** Ends before `/chat/completions`, without a slash at the end. */
  readonly baseUrl: string
  readonly credential: string | null
  /** Extra request headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly timeouts: ProviderTimeouts
}

export type CatalogRoute = {
  readonly id: string
  readonly provider: CatalogProvider
  readonly upstreamModel: string
  /** Lower goes first. */
  readonly priority: number
  /** Share among routes of the same priority. */
  readonly weight: number
}

/** An enabled model. Its weights are pinned for a request by holding on to this value. */
export type CatalogModel = {
  readonly id: string
  /** What may be asked of it; whoever serves chat serves the other dialects of a conversation too. */
  readonly endpoints: ReadonlySet<EndpointName>
  readonly weights: PinnedWeights
  /** The same weights as the store holds them, to be kept with each usage record. */
  readonly weightsJson: string
  /** The weights of the units that its endpoints are charged by. */
  readonly unitWeights: PinnedUnitWeights
  /** Routes to enabled providers, by priority; may be empty. */
  readonly routes: readonly CatalogRoute[]
}

/** The catalogue as of one moment: never changed, only replaced. */
export type CatalogSnapshot = {
  readonly models: ReadonlyMap<string, CatalogModel>
}
