import { refusals } from '#contract/errors.ts'
import type { OwnKey } from '#domains/keys/caller.ts'
import type { Arrival } from '#gateway/exchange.ts'
import { serveGeneration } from '#gateway/pipeline.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import {
  type ClientRequest,
  type ClientResponse,
  headerOf,
  type Serve,
} from '#server/http/client-exchange.ts'
import { clientRequestId } from '#server/http/request-id.ts'
import { portalDialect } from './caller-dialect.ts'
import { Departure } from './departure.ts'
import { refuse } from './refuse.ts'
import { CROSS_ORIGIN_HEADERS } from './respond.ts'
import { findRoute, type GatewayParts, type Route } from './routes.ts'

/** Public routes that the framework serves: pages of any origin may ask for them too. */
const DISCOVERY = /^\/v1\/(models|catalog)(\/|$)/

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

function methodsOf(route: Route | undefined): string {
  if (!route) return 'GET, HEAD'
  return route.method === 'any' ? 'GET, POST, DELETE' : route.method
}

/** A request that the framework let in, before it was read. */
export type OwnExchange = Pick<Arrival, 'request' | 'response' | 'requestId'>

const OWN_CHAT: Route = {
  method: 'POST',
  dialect: portalDialect,
  serve: (arrival, parts) => serveGeneration(arrival, 'chat', parts),
}

export type GatewayEdge = {
  /** Serves the request if it is for a protected route; otherwise says so by false and leaves it untouched. */
  readonly serve: Serve
  /**
   * Serves a chat request of a user who is signed in, with the limits of the key that they name and at their account's
   * cost. Who they are has been made sure of; the body is still unread.
   */
  serveOwnChat(exchange: OwnExchange, ownKey: OwnKey): void
  /** From now on, new requests are refused. */
  beginDraining(): void
  isDraining(): boolean
  /** How many requests are being served; a request counts until it is settled. */
  inFlight(): number
}

export function createGatewayEdge(parts: GatewayParts): GatewayEdge {
  let isDraining = false
  let inFlight = 0

  function serveRoute(route: Route, arrival: Arrival): void {
    if (isDraining) {
      arrival.response.shouldKeepAlive = false
      refuse(arrival, refusals.unavailable('This node is shutting down'), parts)
      return
    }
    if (!parts.isStoreAvailable()) {
      // Whoever is known from before may not go on either: what they use could not be recorded.
      refuse(
        arrival,
        refusals.unavailable('The service can not reach its records right now; try again shortly'),
        parts,
      )
      return
    }
    inFlight++
    // Serving settles and answers whatever happens, and never rejects.
    void route.serve(arrival, parts).finally(() => {
      inFlight--
    })
  }

  return {
    serve: (request, response) => {
      const path = pathOf(request.url ?? '/')
      const route = findRoute(path)
      if (request.method === 'OPTIONS' && (route || DISCOVERY.test(path))) {
        answerPreflight(request, response, methodsOf(route))
        return true
      }
      if (!route) return false
      const arrival = arrive({ request, response, dialect: route.dialect, ownKey: null }, parts.clock)
      if (route.method === 'any' || request.method === route.method) serveRoute(route, arrival)
      else refuse(arrival, refusals.methodNotAllowed(route.method), parts)
      return true
    },
    serveOwnChat: (exchange, ownKey) =>
      serveRoute(OWN_CHAT, arrive({ ...exchange, dialect: portalDialect, ownKey }, parts.clock)),
    beginDraining: () => {
      isDraining = true
    },
    isDraining: () => isDraining,
    inFlight: () => inFlight,
  }
}

function arrive(
  exchange: Pick<Arrival, 'request' | 'response' | 'dialect' | 'ownKey'> & { readonly requestId?: string },
  clock: Clock,
): Arrival {
  const { request, response, dialect, ownKey } = exchange
  const arrivedAt = clock.now()
  return {
    request,
    response,
    dialect,
    ownKey,
    requestId: exchange.requestId ?? newId('req', arrivedAt),
    clientRequestId: clientRequestId(request),
    arrivedAt,
    arrivedMonotonicMs: clock.monotonicMs(),
    departure: new Departure(response),
  }
}

/** Tells a browser that a page of any origin may call. */
function answerPreflight(request: ClientRequest, response: ClientResponse, methods: string): void {
  const asked = headerOf(request, 'access-control-request-headers')
  const headers = {
    'x-request-id': newId('req'),
    ...CROSS_ORIGIN_HEADERS,
    'access-control-allow-methods': `${methods}, OPTIONS`,
    'access-control-allow-headers': asked ?? 'authorization, content-type, x-request-id',
    'access-control-max-age': '86400',
    vary: 'access-control-request-headers',
  }
  response.writeHead(204, Object.entries(headers).flat())
  response.end()
}
