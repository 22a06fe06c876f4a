import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusals } from '#contract/errors.ts'
import type { Arrival } from '#gateway/exchange.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { clientRequestId } from '#server/http/request-id.ts'
import { Departure } from './departure.ts'
import { CROSS_ORIGIN_HEADERS, sendError } from './respond.ts'
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

export type GatewayEdge = {
  /** Serves the request if it is for a protected route; otherwise says so by false and leaves it untouched. */
  serve(request: IncomingMessage, response: ServerResponse): boolean
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
      const arrival = arrive({ request, response, dialect: route.dialect }, parts.clock)
      const addressee = { ...arrival, admission: null }
      if (isDraining) {
        response.setHeader('connection', 'close')
        sendError(addressee, refusals.unavailable('This node is shutting down'))
      } else if (route.method === 'any' || request.method === route.method) serveRoute(route, arrival)
      else sendError(addressee, refusals.methodNotAllowed(route.method))
      return true
    },
    beginDraining: () => {
      isDraining = true
    },
    isDraining: () => isDraining,
    inFlight: () => inFlight,
  }
}

function arrive(
  { request, response, dialect }: Pick<Arrival, 'request' | 'response' | 'dialect'>,
  clock: Clock,
): Arrival {
  const arrivedAt = clock.now()
  return {
    request,
    response,
    dialect,
    requestId: newId('req', arrivedAt),
    clientRequestId: clientRequestId(request),
    arrivedAt,
    arrivedMonotonicMs: clock.monotonicMs(),
    departure: new Departure(response),
  }
}

/** Tells a browser that a page of any origin may call. */
function answerPreflight(request: IncomingMessage, response: ServerResponse, methods: string): void {
  response.writeHead(204, {
    'x-request-id': newId('req'),
    ...CROSS_ORIGIN_HEADERS,
    'access-control-allow-methods': `${methods}, OPTIONS`,
    'access-control-allow-headers':
      request.headers['access-control-request-headers'] ?? 'authorization, content-type, x-request-id',
    'access-control-max-age': '86400',
    vary: 'access-control-request-headers',
  })
  response.end()
}
