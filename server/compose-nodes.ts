/** The part of the composition root that builds what the nodes of one service share: limits, and messages of changes. */
import { randomBytes } from 'node:crypto'
import { findBalance } from '#domains/billing/find-balance.ts'
import type { AdmissionEngine } from '#gateway/admission/engine.ts'
import { createMemoryAdmission } from '#gateway/admission/memory-engine.ts'
import { createRedisAdmission } from '#gateway/admission/redis/redis-engine.ts'
import { type Changes, createLocalChanges } from '#lib/changes.ts'
import type { Clock } from '#lib/clock.ts'
import type { RedisAddress } from '#redis/address.ts'
import { type Bus, createRedisBus } from '#redis/bus.ts'
import { createRedisChanges } from '#redis/changes.ts'
import { openRedisLink } from '#redis/link.ts'
import type { Storage } from '#storage/storage.ts'
import type { Log } from '#telemetry/log.ts'
import { createMemoryLimiter, type DiscoveryLimiter } from './discovery/limiter.ts'
import { createRedisLimiter } from './discovery/redis-limiter.ts'

export type NodesParts = {
  readonly storage: Storage
  /** null: every node has limits of its own, and hears of changes on other nodes by looking. */
  readonly redis: RedisAddress | null
  readonly clock: Clock
  readonly log: Log
}

export type Nodes = {
  readonly changes: Changes
  readonly engine: AdmissionEngine
  readonly limiter: DiscoveryLimiter
  /** Messages to and from the other nodes; null where they can't be reached. */
  readonly bus: Bus | null
  /** null where there is none. */
  redisState(): 'ok' | 'down' | null
  close(): void
}

/** Resolves when Redis was tried once: whether or not it answers, the node can serve. */
export async function connectNodes({ storage, redis, clock, log }: NodesParts): Promise<Nodes> {
  // Other nodes change balances, and so do commands beside the service: what is remembered is read again.
  const readAgain = async (accountId: string): Promise<void> => {
    const balance = await findBalance(storage, accountId)
    if (balance) alone.learnBalance(accountId, balance)
  }
  const alone = createMemoryAdmission({ clock, reading: { readAgain } })
  const limiter = createMemoryLimiter({ clock })
  if (redis === null) {
    if (storage.engine === 'postgres') {
      log.warn('REDIS_URL is not set: if there are other nodes, each of them has limits of its own')
    }
    const changes = createLocalChanges()
    return { changes, engine: alone, limiter, bus: null, redisState: () => null, close: () => {} }
  }
  const nodeId = randomBytes(6).toString('base64url')
  const link = await openRedisLink({ address: redis, clock, log })
  const bus = createRedisBus({ link, database: redis.database, nodeId })
  return {
    changes: createRedisChanges(bus),
    bus,
    engine: createRedisAdmission({ link, bus, alone, nodeId, clock }),
    limiter: createRedisLimiter({ link, alone: limiter }),
    redisState: () => (link.isUp() ? 'ok' : 'down'),
    close: link.close,
  }
}
