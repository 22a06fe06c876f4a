import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 50

export type DrainOptions = {
  /** How many requests are being served. */
  readonly inFlight: () => number
  /** After this, whoever is still connected is cut off, and settled as a client that left. */
  readonly patienceMs: number
}

/** Stops accepting, lets what is in flight finish, and resolves when every request is settled. */
export async function drain(server: Server, { inFlight, patienceMs }: DrainOptions): Promise<void> {
  const deadlineMs = performance.now() + patienceMs
  server.close()
  while (inFlight() > 0 && performance.now() < deadlineMs) {
    // A connection whose last answer is out is idle now, and would be kept open for the next request.
    server.closeIdleConnections()
    await sleep(POLL_MS)
  }
  server.closeAllConnections()
  // Those that were cut off are being settled; that takes a commit each.
  while (inFlight() > 0 && performance.now() < deadlineMs + patienceMs) await sleep(POLL_MS)
}
