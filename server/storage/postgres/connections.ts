import { Socket } from 'node:net'
import { type ClientConfig, type CustomTypesConfig, Pool } from 'pg'

/** Postgres is near: a connection that takes longer is one to a server that is gone. */
export const CONNECT_TIMEOUT_MS = 1_500
const KEEPALIVE_AFTER_MS = 5_000
/** What a client waits beyond the server's own limit, so that the server's reason is heard where there is one. */
const ANSWER_MARGIN_MS = 500

/** Values are read by the column they stand in, not by their type alone: see `readRows`. */
const AS_TEXT: CustomTypesConfig = {
  // The library asks for a parser of each type and takes whatever it gives.
  getTypeParser: () => (text: string) => text,
}

/**
 * What a connection is for: how many there are, how long one statement may take on a server that is well, and how long the
 * server waits for the next one of a transaction, whose locks others may be waiting for. A server that has stopped
 * answering is noticed much sooner, by the watch.
 */
const PURPOSES = {
  reads: { max: 10, statementMs: 15_000, idleInTransactionMs: 5_000 },
  reports: { max: 4, statementMs: 120_000, idleInTransactionMs: 60_000 },
  postings: { max: 1, statementMs: 10_000, idleInTransactionMs: 5_000 },
  units: { max: 1, statementMs: 30_000, idleInTransactionMs: 5_000 },
  watch: { max: 1, statementMs: 5_000, idleInTransactionMs: 2_000 },
  locks: { max: 1, statementMs: 60_000, idleInTransactionMs: 2_000 },
  migrations: { max: 2, statementMs: 3_600_000, idleInTransactionMs: 60_000 },
} as const

export type Purpose = keyof typeof PURPOSES

/** Opens connections to one database, and can be shut when the server has stopped answering. */
export class Connections {
  readonly #url: string
  readonly #sockets = new Set<Socket>()
  #isShut = false

  constructor(url: string) {
    this.#url = url
  }

  /** How to open one connection for the purpose. */
  config(purpose: Purpose): ClientConfig {
    const { statementMs, idleInTransactionMs } = PURPOSES[purpose]
    return {
      connectionString: this.#url,
      application_name: `goldweight ${purpose}`,
      types: AS_TEXT,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: statementMs,
      query_timeout: statementMs + ANSWER_MARGIN_MS,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
      stream: () => this.#openSocket(),
    }
  }

  pool(purpose: Purpose): Pool {
    const pool = new Pool({ ...this.config(purpose), max: PURPOSES[purpose].max })
    // A connection that breaks while nobody uses it is replaced by the next that is asked for.
    pool.on('error', () => {})
    return pool
  }

  /** Ends every connection at once, and each new one as soon as it is begun: nobody waits for a server that is gone. */
  shut(): void {
    this.#isShut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  reopen(): void {
    this.#isShut = false
  }

  #openSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (this.#isShut) setImmediate(() => socket.destroy())
    return socket
  }
}
