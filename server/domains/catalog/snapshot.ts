import type { ProviderTimeouts, RoutingOrder } from '#contract/catalog.ts'
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
  /** Names the credential at this address, and nobody else's; it changes with either. */
  readonly credentialId: string
  /** What the operator calls it; null for the first. */
  readonly credentialName: string | null
  /** Extra request headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly timeouts: ProviderTimeouts
  /** What its server serves itself; null: all that servers of its kind do. */
  readonly endpoints: ReadonlySet<string> | null
}

/** A way to a model: a route with one credential of its provider. */
export type CatalogRoute = {
  readonly id: string
  /** The route as the store has it: the same for all of its provider's credentials. */
  readonly routeId: string
  readonly provider: CatalogProvider
  readonly upstreamModel: string
  /** Lower goes first. */
  readonly priority: number
  /** Share among routes of the same priority. */
  readonly weight: number
  /** What it costs, in whatever the operator counts; null where they did not say. */
  readonly cost: number | null
}

/** How the routes of a model are tried. */
export type CatalogRouting = {
  readonly order: RoutingOrder
  /** How often routes that failed are asked again when all were asked. */
  readonly retries: number
  readonly maxAttempts: number
  /** How long all attempts together may take; null: as long as upstreams' own time-outs let each of them. */
  readonly maxMs: number | null
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
  readonly routing: CatalogRouting
}

/** The catalogue as of one moment: never changed, only replaced. */
export type CatalogSnapshot = {
  readonly models: ReadonlyMap<string, CatalogModel>
}
