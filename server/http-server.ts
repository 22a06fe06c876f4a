import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { refuseWithoutHost } from './http/client-error.ts'
import type { Serve } from './http/client-exchange.ts'
import { openFrontDoor } from './http/front-door/front-door.ts'
import type { Traffic } from './traffic.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Above the 60 seconds after which common load balancers drop an idle connection, so that they never meet a closed one. */
const KEEP_ALIVE_MS = 75_000
const HEADERS_TIMEOUT_MS = 60_000
const REQUEST_TIMEOUT_MS = 300_000

/** Where a target stands in full, as clients of forward proxies name it: RFC 9112, 3.2.2 has every server take that. */
const ORIGIN = /^https?:\/\/[^/?#]*\/?/i

export type HttpServerParts = {
  /** Serves a request and says so by true, or leaves it untouched. It counts its requests itself. */
  readonly serveFirst: Serve
  /** Serves all else. */
  readonly framework: Handler
  readonly traffic: Traffic
}

/** The HTTP server: what `serveFirst` takes is served there, all else by the framework. */
export function createHttpServer({ serveFirst, framework, traffic }: HttpServerParts): Server {
  const serve: Handler = (request, response) => {
    if (request.url?.startsWith('/') === false) request.url = request.url.replace(ORIGIN, '/')
    if (refuseWithoutHost(request, response) || serveFirst(request, response)) return
    traffic.count(response)
    framework(request, response)
  }
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      requireHostHeader: false,
    },
    serve,
  )
  // Node would refuse what it does not know with an answer of its own; RFC 9110, 10.1.1 lets it be passed over.
  server.on('checkExpectation', serve)
  openFrontDoor(server, serveFirst)
  traffic.watch(server)
  return server
}
