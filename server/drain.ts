import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Traffic } from './traffic.ts'

const POLL_MS = 50

export type DrainOptions = {
  /** How many inference requests are being served. */
  readonly inFlight: () => number
  readonly traffic: Pick<Traffic, 'isUnderWay' | 'cutOff'>
  /** After this, whoever is still connected is cut off, and settled as a client that left. */
  readonly patienceMs: number
}

/** Stops accepting, lets what is in flight finish, and resolves when every request is settled. */
export async function drain(server: Server, { inFlight, traffic, patienceMs }: DrainOptions): Promise<void> {
  const deadlineMs = performance.now() + patienceMs
  // The HTTP server's own way to close ends connections whose answer was handed over but not yet read. Idle ones may
  // stay until the end: they do no harm, and what they still ask is answered.
  NetServer.prototype.close.call(server)
  while ((inFlight() > 0 || traffic.isUnderWay()) && performance.now() < deadlineMs) await sleep(POLL_MS)
  traffic.cutOff()
  // Those that were cut off are being settled; that takes a commit each.
  while (inFlight() > 0 && performance.now() < deadlineMs + patienceMs) await sleep(POLL_MS)
}
