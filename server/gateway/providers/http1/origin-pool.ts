import type { TransportError } from '../transport.ts'
import { Connection, type ConnectionParts } from './connection.ts'
import type { Exchange } from './exchange.ts'

/** What a burst leaves behind beyond this is closed at once. */
const MAX_IDLE = 256
/** A connection that has been idle for longer is looked at again before it is used. */
const SURE_MS = 1_000

/**
 * The connections to one origin: as many as there are requests, for one that waits behind a long stream would wait for
 * minutes. The one that was used last is used first, so that the others grow old and are closed.
 */
export class OriginPool {
  readonly #parts: ConnectionParts
  readonly #connections = new Set<Connection>()
  /** The one that was used last is the last. */
  readonly #idle: Connection[] = []
  #looking = 0
  #isClosed = false

  constructor(parts: Omit<ConnectionParts, 'onIdle' | 'onClosed'>) {
    this.#parts = {
      ...parts,
      onIdle: connection => {
        if (this.#idle.length < MAX_IDLE && !this.#isClosed) this.#idle.push(connection)
        else connection.close()
      },
      onClosed: connection => {
        this.#connections.delete(connection)
        const at = this.#idle.indexOf(connection)
        if (at !== -1) this.#idle.splice(at, 1)
      },
    }
  }

  /** Whether there is nothing to look after: no connection, and nobody who is about to get one. */
  get isEmpty(): boolean {
    return this.#connections.size === 0 && this.#looking === 0
  }

  /** Sends the request of an exchange over an idle connection, or over a new one. */
  serve(exchange: Exchange): void {
    let connection = this.#idle.pop()
    while (connection && !connection.isUsable) {
      connection.close()
      connection = this.#idle.pop()
    }
    if (this.#isClosed) exchange.fail(CLOSED)
    else if (connection === undefined) this.#connections.add(new Connection(this.#parts, exchange))
    else if (connection.idleMs < SURE_MS) connection.carry(exchange)
    else this.#serveAfterLook(exchange, connection)
  }

  /**
   * A request must not be sent twice (RFC 9110, section 9.2.2), so what the server has closed meanwhile has to be found
   * out before: until all that has arrived is read, which is done when an immediate runs.
   */
  #serveAfterLook(exchange: Exchange, connection: Connection): void {
    this.#looking++
    setImmediate(() => {
      this.#looking--
      if (!exchange.isOver && connection.isUsable) connection.carry(exchange)
      else if (connection.isUsable) this.#parts.onIdle(connection)
      else if (!exchange.isOver) this.serve(exchange)
    })
  }

  checkTime(): void {
    for (const connection of this.#connections) connection.checkTime()
  }

  close(): void {
    this.#isClosed = true
    for (const connection of this.#connections) connection.fail(CLOSED)
  }
}

const CLOSED: TransportError = { kind: 'failed', detail: 'the transport is closed' }
