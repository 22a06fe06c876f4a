import type { Transport } from '../transport.ts'
import { Exchange } from './exchange.ts'
import { readOrigin } from './open-socket.ts'
import { OriginPool } from './origin-pool.ts'
import { PatientClock } from './patient-clock.ts'
import { TlsSessions } from './tls-sessions.ts'

/**
 * Keep idle upstream connections for less than the 5 seconds after which the commonest servers (uvicorn, Node) close
 * theirs, so that a request seldom meets a connection that is being closed.
 */
const MAX_IDLE_MS = 4_000

/** HTTP/1.1 over pooled connections: one request at a time on each, as many connections as there are requests. */
export function createHttpTransport({ maxIdleMs = MAX_IDLE_MS } = {}): Transport {
  const pools = new Map<string, OriginPool>()
  const sessions = new TlsSessions()
  let isClosed = false
  const clock = new PatientClock(() => {
    for (const [origin, pool] of pools) {
      pool.checkTime()
      if (pool.isEmpty) pools.delete(origin)
    }
    if (pools.size === 0) clock.stop()
  })

  function poolFor(origin: string): OriginPool {
    let pool = pools.get(origin)
    if (!pool) {
      pool = new OriginPool({ address: readOrigin(origin), clock, sessions, maxIdleMs })
      pools.set(origin, pool)
      if (isClosed) pool.close()
      else clock.start()
    }
    return pool
  }

  return {
    send(request, handler) {
      const exchange = new Exchange(request, handler, clock)
      poolFor(request.origin).serve(exchange)
      return exchange
    },
    async close() {
      isClosed = true
      for (const pool of pools.values()) pool.close()
      clock.stop()
    },
  }
}
