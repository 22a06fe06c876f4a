import { Readable } from 'node:stream'
import { type Dispatcher, errors, Pool } from 'undici'
import { SMALL_BYTES } from '#lib/shared-bytes.ts'
import { IdleWatch } from './idle-watch.ts'
import type { Transport, TransportControl, TransportHandler, TransportRequest } from './transport.ts'

/**
 * Keep idle upstream connections for less than the 5 seconds after which the commonest servers (uvicorn, Node) close
 * theirs, so that a request seldom meets a connection that is being closed.
 */
const KEEP_ALIVE_MS = 4_000

const TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** HTTP/1.1 over pooled connections: one request at a time on each, as many connections as there are requests. */
export function createHttpTransport(): Transport {
  const pools = new Map<string, Pool>()

  function poolFor(origin: string, connectTimeoutMs: number): Pool {
    const name = `${connectTimeoutMs} ${origin}`
    let pool = pools.get(name)
    if (!pool) {
      pool = new Pool(origin, {
        connections: null,
        pipelining: 1,
        connect: { timeout: connectTimeoutMs },
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
        // Silence is watched per exchange, since its limit differs before and after the first byte.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      pools.set(name, pool)
    }
    return pool
  }

  return {
    send(request, handler) {
      const exchange = new HttpExchange(request, handler)
      poolFor(request.origin, request.timeouts.connect_ms).dispatch(
        { path: request.path, method: 'POST', ...toHeadersAndBody(request) },
        exchange,
      )
      return exchange
    },
    async close() {
      await Promise.all([...pools.values()].map(pool => pool.destroy()))
    },
  }
}

/** Small bodies go out as one piece; of a big one the pieces are written as they are. */
function toHeadersAndBody({ headers, body }: TransportRequest): {
  headers: string[]
  body: Buffer | Readable
} {
  const [only] = body
  if (body.length === 1 && only) return { headers: [...headers], body: only }
  const totalBytes = body.reduce((sum, piece) => sum + piece.length, 0)
  if (totalBytes <= SMALL_BYTES) return { headers: [...headers], body: Buffer.concat(body, totalBytes) }
  // A body in pieces needs its length said, or it would go out in chunks, which some servers refuse.
  return { headers: [...headers, 'content-length', String(totalBytes)], body: Readable.from(body) }
}

/** One request on its way: undici's handler on one side, our handler and control on the other. */
class HttpExchange implements Dispatcher.DispatchHandler, TransportControl {
  readonly #request: TransportRequest
  readonly #handler: TransportHandler
  #controller: Dispatcher.DispatchController | null = null
  #watch: IdleWatch | null = null
  #over = false
  #hasData = false

  constructor(request: TransportRequest, handler: TransportHandler) {
    this.#request = request
    this.#handler = handler
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#over) {
      controller.abort(new Error('aborted before it was sent'))
      return
    }
    this.#controller = controller
    this.#watch = new IdleWatch(this.#request.timeouts.first_byte_ms, () => {
      this.#finish()
      controller.abort(new Error('silent'))
      this.#handler.failed({
        kind: 'timeout',
        detail: this.#hasData ? 'silent for too long' : 'no first byte',
      })
    })
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Interim answers such as 103 are not the answer.
    if (this.#over || status < 200) return
    this.#watch?.heard()
    this.#handler.headers(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#over) return
    if (this.#hasData) this.#watch?.heard()
    else {
      this.#hasData = true
      this.#watch?.setLimit(this.#request.timeouts.idle_ms)
    }
    this.#handler.data(bytes)
  }

  onResponseEnd(): void {
    if (this.#over) return
    this.#finish()
    this.#handler.ended()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return
    this.#finish()
    const code = error instanceof errors.UndiciError || 'code' in error ? String(error.code) : ''
    this.#handler.failed({
      kind: TIMEOUT_CODES.has(code) ? 'timeout' : 'failed',
      detail: `${error.name}: ${error.message}${code ? ` (${code})` : ''}`,
    })
  }

  pause(): void {
    this.#controller?.pause()
    this.#watch?.setPaused(true)
  }

  resume(): void {
    this.#watch?.setPaused(false)
    this.#controller?.resume()
  }

  abort(): void {
    if (this.#over) return
    this.#finish()
    this.#controller?.abort(new Error('aborted'))
  }

  #finish(): void {
    this.#over = true
    this.#watch?.stop()
  }
}
