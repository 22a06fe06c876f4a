import type { RedisLink } from '#redis/link.ts'
import { readRedisScript } from '#redis/script.ts'
import {
  ALLOWED,
  CAPACITY,
  type DiscoveryLimiter,
  type MemoryLimiter,
  RECOVERY_MS,
  refusedFor,
} from './limiter.ts'

const takeScript = readRedisScript(new URL('take.lua', import.meta.url))

export type RedisLimiterParts = {
  readonly link: RedisLink
  /** The buckets of this node, for as long as Redis is away. */
  readonly alone: Pick<MemoryLimiter, 'take'>
  /** Takes the place of the server's clock; for tests alone. */
  readonly serverNow?: () => number
}

/** Buckets that all nodes share; a bucket that nobody draws from is gone when it is full again. */
export function createRedisLimiter({ link, alone, serverNow }: RedisLimiterParts): DiscoveryLimiter {
  return {
    take: address => {
      if (!link.isUp()) return alone.take(address)
      const args = [CAPACITY, RECOVERY_MS, ...(serverNow ? [serverNow()] : [])]
      return link
        .ask(client => takeScript.run(client, [`gw:discovery:${address}`], args))
        .then(missingMs => (missingMs === 0 ? ALLOWED : refusedFor(Number(missingMs))))
        .catch(() => alone.take(address))
    },
  }
}
