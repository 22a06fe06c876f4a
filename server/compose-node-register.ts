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
  let measured = performance.eventLoopUtilization()
  return createNodeRegister({
    storage,
    clock,
    self: { id: newId('nod', clock.now()), name: hostname(), version: packageJson.version },
    readState: () => {
      const before = measured
      measured = performance.eventLoopUtilization()
      return {
        address: addressOf(node.server()),
        in_flight: node.inFlight(),
        isDraining: node.isDraining(),
        redis: node.redisState(),
        memory_bytes: process.memoryUsage.rss(),
        busy: performance.eventLoopUtilization(measured, before).utilization,
      }
    },
  })
}

function addressOf(server: Server): string | null {
  const address = server.address()
  if (address === null || typeof address === 'string') return address
  return address.family === 'IPv6'
    ? `[${address.address}]:${address.port}`
    : `${address.address}:${address.port}`
}
