/** The part of the composition root that says how this node is, for the register of all. */
import type { Server } from 'node:http'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import { createNodeRegister, type NodeRegister } from '#domains/nodes/node-register.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import type { Storage } from '#storage/storage.ts'
import packageJson from '../package.json' with { type: 'json' }

export type ThisNode = {
  readonly storage: Storage
  readonly clock: Clock
  readonly inFlight: () => number
  readonly isDraining: () => boolean
  readonly redisState: () => 'ok' | 'down' | null
  /** Where it listens is known when it does. */
  readonly server: () => Server
}

export function composeNodeRegister(node: ThisNode): NodeRegister {
  const { storage, clock } = node
  const readBusy = createBusyMeter(clock)
  let address: string | null = null
  return createNodeRegister({
    storage,
    clock,
    self: { id: newId('nod', clock.now()), name: hostname(), version: packageJson.version },
    readState: () => {
      // A server that is closed has none any more.
      address = addressOf(node.server()) ?? address
      return {
        address,
        in_flight: node.inFlight(),
        isDraining: node.isDraining(),
        redis: node.redisState(),
        memory_bytes: process.memoryUsage.rss(),
        busy: readBusy(),
      }
    },
  })
}

/** Of less time than this it would tell little but how long the asking took. */
const MEASURED_MS = 1_000

/** The share of the time since the measurement before in which the event loop had work. */
function createBusyMeter({ monotonicMs }: Pick<Clock, 'monotonicMs'>): () => number {
  let sinceMs = monotonicMs()
  let before = performance.eventLoopUtilization()
  let busy = 0
  return () => {
    const nowMs = monotonicMs()
    if (nowMs - sinceMs < MEASURED_MS) return busy
    const measured = performance.eventLoopUtilization()
    busy = performance.eventLoopUtilization(measured, before).utilization
    sinceMs = nowMs
    before = measured
    return busy
  }
}

function addressOf(server: Server): string | null {
  const address = server.address()
  if (address === null || typeof address === 'string') return address
  return address.family === 'IPv6'
    ? `[${address.address}]:${address.port}`
    : `${address.address}:${address.port}`
}
