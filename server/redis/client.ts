import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { RedisAddress } from './address.ts'

export type RedisClient = Redis | Cluster

const CONNECT_TIMEOUT_MS = 1_000
const PROBE_KEY = 'goldweight:probe'

/** What is lost stays lost here: whoever asked decides what to do, and the link opens a new client. */
const NOTHING_AGAIN = {
  lazyConnect: true,
  retryStrategy: null,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
} as const

/**
 * A cluster's client would ask again a moment later, behind what was sent meanwhile: a slot that is registered after it was
 * given back is held by nobody until its lease lapses.
 */
const NOTHING_LATER = { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 } as const

/** A client that is not connected yet. It never connects again by itself. */
export function createRedisClient(address: RedisAddress): RedisClient {
  const { hosts, isCluster, tls, database, username, password } = address
  const options: RedisOptions = {
    username,
    password,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(tls ? { tls: {} } : {}),
  }
  if (isCluster) {
    return new Cluster([...hosts], {
      lazyConnect: true,
      clusterRetryStrategy: () => null,
      ...NOTHING_LATER,
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      redisOptions: { ...options, autoResendUnfulfilledCommands: false, autoResubscribe: false },
    })
  }
  return new Redis({ ...options, ...NOTHING_AGAIN, ...hosts[0], db: database, enableOfflineQueue: false })
}

/**
 * Opens the client, and resolves when it takes writes: a replica, a full server and one that is still loading answer
 * too, and are of no use.
 */
export async function openRedisClient(client: RedisClient): Promise<void> {
  await client.connect()
  await client.set(PROBE_KEY, '1', 'PX', CONNECT_TIMEOUT_MS)
}
