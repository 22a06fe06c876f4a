/**
 * The least that a Node proxy can do on node:http and undici: collect the request, send it on, and hand back what
 * comes. No authentication, no limits, no metering. What the gateway takes beyond this is the price of being one.
 */
import http from 'node:http'
import { type Dispatcher, Pool } from 'undici'
import { announcePort } from './parent.ts'

const FORWARDED_HEADERS = ['authorization', 'content-type', 'accept'] as const

class Forwarder implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | null = null
  #response: http.ServerResponse

  constructor(response: http.ServerResponse) {
    this.#response = response
    response.on('close', () => {
      if (!response.writableEnded) this.#controller?.abort(new Error('the client left'))
    })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: http.IncomingHttpHeaders): void {
    // The connection to the upstream and the one to the client are framed each on its own.
    const { connection: _connection, 'transfer-encoding': _framing, 'keep-alive': _idle, ...kept } = headers
    this.#response.writeHead(status, kept)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#response.write(chunk)) return
    controller.pause()
    this.#response.once('drain', () => controller.resume())
  }

  onResponseEnd(): void {
    this.#response.end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#response.headersSent) this.#response.destroy(error)
    else this.#response.writeHead(502).end(error.message)
  }
}

function chosenHeaders(request: http.IncomingMessage): Record<string, string> {
  const chosen: Record<string, string> = {}
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers[name]
    if (value !== undefined) chosen[name] = value
  }
  return chosen
}

// Uncapped: a capped pool would queue long streams.
const upstream = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: null, pipelining: 1 })

const server = http.createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const [first] = pieces
    const body = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces)
    const path = request.url ?? '/'
    upstream.dispatch(
      { method: 'POST', path, headers: chosenHeaders(request), body },
      new Forwarder(response),
    )
  })
})
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => announcePort(server))
