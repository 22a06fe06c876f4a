import type { Socket } from 'node:net'
import type { TransportError } from '../transport.ts'
import { type AnswerEvents, AnswerParser } from './answer-parser.ts'
import { BodySender } from './body-sender.ts'
import type { Exchange } from './exchange.ts'
import { type Address, openSocket } from './open-socket.ts'
import type { PatientClock } from './patient-clock.ts'
import { requestHead } from './request-head.ts'
import type { TlsSessions } from './tls-sessions.ts'

/** Servers close idle connections after so long as they say; a request must not be on its way by then. */
const HINT_MARGIN_MS = 1_000

export type ConnectionParts = {
  readonly address: Address
  readonly clock: PatientClock
  readonly sessions: TlsSessions
  /** Its request is over, and it may carry another. */
  readonly onIdle: (connection: Connection) => void
  /** It will carry nothing any more. */
  readonly onClosed: (connection: Connection) => void
  /** Connections are kept idle no longer than this, whatever the server would allow. */
  readonly maxIdleMs: number
}

/** One connection to a server: it carries one request at a time, and is closed at the first thing that is not in order. */
export class Connection implements AnswerEvents {
  readonly #parts: ConnectionParts
  readonly #socket: Socket
  readonly #sender: BodySender
  readonly #parser: AnswerParser
  /** What is being carried, or waits for the connection to be made. */
  #exchange: Exchange | null = null
  #isConnected = false
  #isClosed = false
  /** When it began to connect, or to be idle. */
  #sinceMs: number
  #maxIdleMs = 0

  /** Begins to connect, for the exchange that it will carry first. */
  constructor(parts: ConnectionParts, exchange: Exchange) {
    this.#parts = parts
    this.#sinceMs = parts.clock.nowMs
    this.#parser = new AnswerParser(this)
    this.#socket = openSocket(parts.address, parts.sessions, bytes => this.#take(bytes))
    this.#sender = new BodySender(this.#socket)
    this.#exchange = exchange
    exchange.carriedBy(this)
    const socket = this.#socket
    socket.once(parts.address.isSecure ? 'secureConnect' : 'connect', () => this.#connected())
    socket.on('end', () => this.#readEnd())
    socket.on('error', error => this.fail(failureOf(error)))
    socket.on('close', () => this.fail({ kind: 'failed', detail: 'the connection was closed' }))
  }

  /** How long it has been idle. */
  get idleMs(): number {
    return this.#parts.clock.nowMs - this.#sinceMs
  }

  /** Whether it can carry a request now: it is idle, and not for too long. */
  get isUsable(): boolean {
    return !this.#isClosed && this.#exchange === null && this.idleMs < this.#maxIdleMs
  }

  /** Sends the request of an exchange and brings it the answer. */
  carry(exchange: Exchange): void {
    this.#exchange = exchange
    exchange.carriedBy(this)
    this.#send(exchange)
  }

  pause(): void {
    this.#parser.pause()
    this.#socket.pause()
  }

  resume(): void {
    try {
      this.#parser.resume()
      if (!this.#isClosed) this.#socket.resume()
    } catch (error) {
      this.fail(failureOf(error))
    }
  }

  /** Closes at once. Whatever it carries is told nothing. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#exchange = null
    this.#parser.stop()
    this.#socket.destroy()
    this.#parts.onClosed(this)
  }

  /** Closes at once, and tells why to what it carries. */
  fail(error: TransportError): void {
    const exchange = this.#exchange
    this.close()
    exchange?.fail(error)
  }

  /** Looks whether something takes too long. */
  checkTime(): void {
    const { clock } = this.#parts
    if (this.#exchange === null) {
      if (this.idleMs >= this.#maxIdleMs) this.close()
    } else if (this.#isConnected) {
      const silence = this.#exchange.findSilence()
      if (silence) this.fail(silence)
    } else if (clock.hasPassed(this.#exchange.request.timeouts.connect_ms, this.#sinceMs)) {
      this.fail({ kind: 'timeout', detail: `no connection to ${this.#parts.address.origin}` })
    }
  }

  head(...answer: Parameters<AnswerEvents['head']>): void {
    this.#exchange?.head(...answer)
  }

  data(bytes: Buffer): void {
    this.#exchange?.data(bytes)
  }

  end(keepAliveMs: number): void {
    const exchange = this.#exchange
    this.#exchange = null
    this.#sinceMs = this.#parts.clock.nowMs
    this.#maxIdleMs = Math.min(this.#parts.maxIdleMs, keepAliveMs - HINT_MARGIN_MS)
    // An answer that came before all of its request was sent leaves the rest of it in the way.
    if (this.#maxIdleMs > 0 && this.#sender.isDone) this.#parts.onIdle(this)
    else this.close()
    exchange?.end()
  }

  #connected(): void {
    this.#isConnected = true
    const exchange = this.#exchange
    if (exchange) this.carry(exchange)
  }

  #send(exchange: Exchange): void {
    const { body } = exchange.request
    let bodyBytes = 0
    for (const piece of body) bodyBytes += piece.length
    try {
      const head = requestHead(exchange.request, this.#parts.address.host, bodyBytes)
      this.#parser.begin()
      this.#sender.send(head, body, bodyBytes)
    } catch (error) {
      this.fail(failureOf(error))
    }
  }

  #take(bytes: Buffer): void {
    // Nothing was asked: whatever this is, the next request must not get it as its answer.
    if (this.#exchange === null || !this.#isConnected) {
      this.fail({ kind: 'failed', detail: 'an answer to nothing' })
      return
    }
    try {
      this.#parser.push(bytes)
    } catch (error) {
      this.fail(failureOf(error))
    }
  }

  #readEnd(): void {
    try {
      if (this.#exchange === null) this.close()
      else this.#parser.close()
    } catch (error) {
      this.fail(failureOf(error))
    }
  }
}

function failureOf(error: unknown): TransportError {
  if (!(error instanceof Error)) return { kind: 'failed', detail: String(error) }
  const code = 'code' in error ? ` (${String(error.code)})` : ''
  return { kind: 'failed', detail: `${error.name}: ${error.message}${code}` }
}
