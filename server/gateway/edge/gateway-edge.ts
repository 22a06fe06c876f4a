import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusals } from '#contract/errors.ts'
import { Departure } from '#gateway/edge/departure.ts'
import type { Arrival } from '#gateway/exchange.ts'
import { type PipelineParts, serveGeneration } from '#gateway/pipeline.ts'
import { type QuotaParts, serveQuota } from '#gateway/quota.ts'
import { newId } from '#lib/id.ts'
import { clientRequestId } from '#server/http/request-id.ts'
import { CROSS_ORIGIN_HEADERS, sendError } from './respond.ts'

export type GatewayParts = PipelineParts & QuotaParts & { readonly isDraining: () => boolean }

type Route = {
  readonly method: 'GET' | 'POST'
  readonly serve: (arrival: Arrival, parts: GatewayParts) => Promise<void>
}

/** Every protected route. They are served by the HTTP server itself, before the framework. */
const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  [
    '/v1/chat/completions',
    { method: 'POST', serve: (arrival, parts) => serveGeneration(arrival, 'chat', parts) },
  ],
  [
    '/v1/embeddings',
    { method: 'POST', serve: (arrival, parts) => serveGeneration(arrival, 'embeddings', parts) },
  ],
  ['/v1/quota', { method: 'GET', serve: serveQuota }],
])

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** Serves the request if it is for a protected route; otherwise says so by false and leaves it untouched. */
export function createGatewayEdge(parts: GatewayParts) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const route = ROUTES.get(pathOf(request.url ?? '/'))
    if (!route) return false
    const arrivedAt = parts.clock.now()
    const requestId = newId('req', arrivedAt)
    const addressee = { response, requestId, admission: null }
    if (request.method === 'OPTIONS') {
      answerPreflight(request, response, { requestId, method: route.method })
    } else if (request.method !== route.method) {
      sendError(addressee, refusals.methodNotAllowed(`${route.method}, OPTIONS`))
    } else if (parts.isDraining()) {
      response.setHeader('connection', 'close')
      sendError(addressee, refusals.unavailable('This node is shutting down'))
    } else {
      const arrival: Arrival = {
        request,
        response,
        requestId,
        clientRequestId: clientRequestId(request),
        arrivedAt,
        arrivedMonotonicMs: parts.clock.monotonicMs(),
        departure: new Departure(response),
      }
      // Serving settles and answers whatever happens, and never rejects.
      void route.serve(arrival, parts)
    }
    return true
  }
}

/** Tells a browser that a page of any origin may call. */
export function answerPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, method }: { readonly requestId: string; readonly method: string },
): void {
  response.writeHead(204, {
    'x-request-id': requestId,
    ...CROSS_ORIGIN_HEADERS,
    'access-control-allow-methods': `${method}, OPTIONS`,
    'access-control-allow-headers':
      request.headers['access-control-request-headers'] ?? 'authorization, content-type, x-request-id',
    'access-control-max-age': '86400',
    vary: 'access-control-request-headers',
  })
  response.end()
}
