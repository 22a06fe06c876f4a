import {
  ByteLengthQueuingStrategy,
  ReadableStream,
  type ReadableStreamDefaultController,
} from 'node:stream/web'
import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import { joinBytes } from '#lib/shared-bytes.ts'
import type { AttemptFailure } from './provider.ts'
import type { Transport, TransportControl, TransportError, TransportHandler } from './transport.ts'
import { fromErrorAnswer, fromTransportError, invalidAnswer, type StatusMeant } from './upstream-error.ts'

const MAX_ERROR_BYTES = 64 * 1024
const MAX_ANSWER_BYTES = 256 * 1024 * 1024
/** How much may wait unread before the upstream is paused. */
const READ_AHEAD_BYTES = 64 * 1024
/** A complete answer's connection waits no longer than this for its end. */
const MAX_WAIT_FOR_END_MS = 10_000

type Headers = Readonly<Record<string, string | string[] | undefined>>

export type FetchedExchangeParts = {
  readonly transport: Transport
  readonly provider: CatalogProvider
  readonly requestId: string
  /** Puts back into the body what stand-ins stand for. */
  readonly completeBody: (body: Buffer) => readonly Buffer[]
  /** What an error's status and body mean, where the upstream says one thing by its status and means another. */
  readonly statusMeant?: StatusMeant
  /** Stands in the last events of a stream, and in none before them. */
  readonly finalMark?: string
}

/** Thrown at whoever fetches when the exchange failed; what happened is in `failure`. */
export class ExchangeFailed extends Error {}

/**
 * One exchange of a package that asks for a `fetch`: our transport carries it, under our timeouts, and what goes wrong
 * on the way is noted here as it was, before the package wraps it. Answers with an error status never reach the package.
 */
export class FetchedExchange implements TransportHandler {
  readonly #parts: FetchedExchangeParts
  #control: TransportControl | null = null
  #body: ReadableStreamDefaultController<Uint8Array> | null = null
  #answer = Promise.withResolvers<Response>()
  #status = 0
  #headers: Headers = {}
  #errorPieces: Buffer[] = []
  #bytes = 0
  #isOver = false
  #cutOff: NodeJS.Timeout | null = null
  #wasSent = false
  failure: AttemptFailure | null = null

  constructor(parts: FetchedExchangeParts) {
    this.#parts = parts
  }

  /** Whether the request went out: before that, nothing that goes wrong is the upstream's doing. */
  get wasSent(): boolean {
    return this.#wasSent
  }

  /** The `fetch` for this exchange. It serves one call. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { transport, provider, requestId, completeBody } = this.#parts
    const { origin, pathname, search } = new URL(String(input))
    const body = completeBody(bytesOf(init?.body))
    if (this.#isOver) throw new ExchangeFailed('broken off before it was sent')
    this.#wasSent = true
    this.#control = transport.send(
      {
        origin,
        path: pathname + search,
        headers: this.#requestHeaders(init?.headers),
        requestId,
        body,
        timeouts: provider.timeouts,
      },
      this,
    )
    return this.#answer.promise
  }

  /** Breaks the exchange off, closing the upstream connection. */
  abort(): void {
    if (this.#isOver) return
    this.#finish()
    this.#control?.abort()
    this.#rejectAll()
  }

  /**
   * All that was wanted has come. An upstream that ends by itself leaves its connection to the next request; one that
   * does not is cut off.
   */
  letGo(): void {
    if (this.#isOver) return
    this.#body = null
    this.#control?.resume()
    if (this.#cutOff) clearTimeout(this.#cutOff)
    this.#cutOff = setTimeout(() => this.abort(), MAX_WAIT_FOR_END_MS)
  }

  headers(status: number, headers: Headers): void {
    this.#status = status
    this.#headers = headers
    const encoding = headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      this.#fail(invalidAnswer(`content-encoding ${encoding} although identity was asked for`))
    } else if (status < 300) this.#answer.resolve(this.#response(status, headers))
  }

  data(bytes: Buffer): void {
    if (this.#isOver) return
    this.#bytes += bytes.length
    if (this.#status >= 300) {
      this.#errorPieces.push(bytes)
      if (this.#bytes > MAX_ERROR_BYTES) this.#refuse(Buffer.alloc(0))
    } else if (this.#bytes > MAX_ANSWER_BYTES) {
      this.#fail(invalidAnswer(`an answer of more than ${MAX_ANSWER_BYTES} bytes`))
    } else {
      this.#body?.enqueue(bytes)
      this.#watchForEnd(bytes)
      if ((this.#body?.desiredSize ?? 1) <= 0) this.#control?.pause()
    }
  }

  /** An answer that is all there is not left hanging by an upstream that never closes. */
  #watchForEnd(bytes: Buffer): void {
    const { finalMark, provider } = this.#parts
    if (finalMark === undefined || this.#cutOff || !bytes.includes(finalMark)) return
    const waitMs = Math.min(MAX_WAIT_FOR_END_MS, provider.timeouts.idle_ms)
    this.#cutOff = setTimeout(() => this.#endEarly(null), waitMs)
  }

  ended(): void {
    if (this.#isOver) return
    if (this.#status >= 300) {
      this.#refuse(joinBytes(this.#errorPieces, this.#bytes))
      return
    }
    this.#finish()
    this.#body?.close()
  }

  /** What came before the connection broke is left to whoever reads it: all of the answer may be there. */
  failed(error: TransportError): void {
    if (this.#isOver) return
    if (this.#status < 300 && this.#bytes > 0) this.#endEarly(fromTransportError(error))
    else this.#fail(fromTransportError(error))
  }

  #endEarly(failure: AttemptFailure | null): void {
    this.#finish()
    this.failure = failure
    this.#control?.abort()
    this.#body?.close()
  }

  #requestHeaders(given: RequestInit['headers']): string[] {
    const { provider, requestId } = this.#parts
    const headers: Record<string, string> = {
      ...Object.fromEntries(new Headers(given)),
      'content-type': 'application/json',
      // The bytes are read on their way, so they must come as they are.
      'accept-encoding': 'identity',
      'user-agent': 'goldweight',
      'x-request-id': requestId,
      ...provider.headers,
    }
    return Object.entries(headers).flat()
  }

  #response(status: number, headers: Headers): Response {
    const body = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          this.#body = controller
        },
        pull: () => this.#control?.resume(),
        cancel: () => this.abort(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: READ_AHEAD_BYTES }),
    )
    // Node's stream is the platform's; the two type declarations differ in what they inherit alone.
    return new Response(body as ConstructorParameters<typeof Response>[0], {
      status,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      ),
    })
  }

  #refuse(body: Buffer): void {
    this.#fail(fromErrorAnswer(this.#status, this.#headers, body, this.#parts.statusMeant))
  }

  #fail(failure: AttemptFailure): void {
    if (this.#isOver) return
    this.#finish()
    this.failure = failure
    this.#control?.abort()
    this.#rejectAll()
  }

  #finish(): void {
    this.#isOver = true
    if (this.#cutOff) clearTimeout(this.#cutOff)
  }

  #rejectAll(): void {
    const error = new ExchangeFailed(this.failure?.detail ?? 'broken off')
    this.#answer.reject(error)
    // Nobody may be waiting for it any more.
    this.#answer.promise.catch(() => {})
    this.#body?.error(error)
  }
}

function bytesOf(body: RequestInit['body']): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  throw new Error('A body of this kind is not carried')
}
