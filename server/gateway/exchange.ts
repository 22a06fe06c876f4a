/** The value handed from step to step, one type a stage: nothing can be settled that was not admitted. */
import type { EndpointName } from '#contract/usage.ts'
import type { CatalogModel, CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { Caller, OwnKey } from '#domains/keys/caller.ts'
import type { ClientRequest, ClientResponse } from '#server/http/client-exchange.ts'
import type { Admission } from './admission/admit.ts'
import type { CallerDialect } from './edge/caller-dialect.ts'
import type { Departure } from './edge/departure.ts'
import type { GenerationRequest } from './generation-request.ts'

/** A request on a protected route, before anything is known of it. */
export type Arrival = {
  readonly request: ClientRequest
  readonly response: ClientResponse
  readonly requestId: string
  readonly dialect: CallerDialect
  /** The key that a user names who is signed in to the portal; null where a token has to say who calls. */
  readonly ownKey: OwnKey | null
  /** The request id that the client sent along, kept beside ours. */
  readonly clientRequestId: string | null
  readonly arrivedAt: number
  readonly arrivedMonotonicMs: number
  readonly departure: Departure
}

/** A request whose caller is known and which was let in. */
export type Admitted = Arrival & {
  /** The number of the next event of a stream that has ended, in dialects that number them. */
  readonly eventNumber?: number | undefined
  readonly endpoint: EndpointName
  readonly caller: Caller
  readonly admission: Admission
}

/** A request whose body was read, for a model that the caller may use; the weights are pinned by holding the model. */
export type Routed = Admitted & {
  readonly generation: GenerationRequest
  readonly model: CatalogModel
  /** The routes to try, in this order. */
  readonly routes: readonly CatalogRoute[]
}
