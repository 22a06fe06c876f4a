/** Routes and models as the catalogue gives them, for tests of how they are tried. */
import { refusals } from '#contract/errors.ts'
import type { CatalogModel, CatalogProvider, CatalogRoute } from '#domains/catalog/snapshot.ts'
import { fromErrorAnswer } from '#gateway/providers/upstream-error.ts'

export const PROVIDER: CatalogProvider = {
  id: 'prv_1',
  name: 'A provider',
  kind: 'openai',
  baseUrl: 'http://127.0.0.1/v1',
  credential: null,
  credentialId: 'prv_1:1',
  credentialName: null,
  endpoints: null,
  headers: {},
  timeouts: { connect_ms: 1, first_byte_ms: 1, idle_ms: 1 },
}

/** A route of its own id, weight 1 and priority 0 unless told otherwise. */
export function routeOf(id: string, change: Partial<CatalogRoute> = {}): CatalogRoute {
  return {
    id,
    routeId: id,
    provider: PROVIDER,
    upstreamModel: id,
    priority: 0,
    weight: 1,
    cost: null,
    ...change,
  }
}

export type RoutedModel = Pick<CatalogModel, 'routes' | 'routing'>

export function modelOf(
  routes: readonly CatalogRoute[],
  routing: Partial<CatalogModel['routing']> = {},
): RoutedModel {
  return { routes, routing: { order: 'shares', retries: 0, maxAttempts: 5, maxMs: null, ...routing } }
}

/** How an attempt fails that is answered with this status. */
export function failureOf(status: number, retryAfter?: number) {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return fromErrorAnswer(status, headers, Buffer.from('{"error":{"message":"no"}}'))
}

export const TIMED_OUT = { error: refusals.upstreamTimedOut(), tryElsewhere: true, detail: 'silent' }

/** A history that nobody reads. */
export function unheard() {
  return { noteRest: () => {}, noteProbe: () => {}, noteRecovery: () => {} }
}

/** A clock that goes on when it is told to. */
export class HandClock {
  ms = 1_000
  readonly monotonicMs = () => this.ms
}
