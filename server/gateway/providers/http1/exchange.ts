import type { TransportControl, TransportError, TransportHandler, TransportRequest } from '../transport.ts'
import type { AnswerHeaders } from './answer-head.ts'
import type { Connection } from './connection.ts'
import type { PatientClock } from './patient-clock.ts'

/** One request on its way, with or without a connection. What it is told once it is over, it keeps to itself. */
export class Exchange implements TransportControl {
  readonly request: TransportRequest
  readonly #handler: TransportHandler
  readonly #clock: PatientClock
  #connection: Connection | null = null
  #isOver = false
  #isPaused = false
  #hasData = false
  #lastHeardMs = 0

  constructor(request: TransportRequest, handler: TransportHandler, clock: PatientClock) {
    this.request = request
    this.#handler = handler
    this.#clock = clock
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The connection that carries it, from before it is connected. */
  carriedBy(connection: Connection): void {
    this.#connection = connection
    this.#lastHeardMs = this.#clock.nowMs
  }

  head(status: number, headers: AnswerHeaders): void {
    this.#lastHeardMs = this.#clock.nowMs
    this.#handler.headers(status, headers)
  }

  data(bytes: Buffer): void {
    this.#lastHeardMs = this.#clock.nowMs
    this.#hasData = true
    this.#handler.data(bytes)
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#handler.ended()
  }

  fail(error: TransportError): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#handler.failed(error)
  }

  /** Says what was too slow; null while nothing is. A silence that we asked for does not count. */
  findSilence(): TransportError | null {
    if (this.#isPaused) return null
    const { first_byte_ms: firstByteMs, idle_ms: idleMs } = this.request.timeouts
    if (!this.#clock.hasPassed(this.#hasData ? idleMs : firstByteMs, this.#lastHeardMs)) return null
    return { kind: 'timeout', detail: this.#hasData ? 'silent for too long' : 'no first byte' }
  }

  pause(): void {
    this.#isPaused = true
    if (!this.#isOver) this.#connection?.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#lastHeardMs = this.#clock.nowMs
    if (!this.#isOver) this.#connection?.resume()
  }

  abort(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#connection?.close()
  }
}
