/** Throw-away Redis servers. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, inject } from 'vitest'
import { eventually } from './eventually.ts'
import { findFreePort, type ServerProcess, startGuardedServer } from './guarded-server.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Redis or its fork: whichever is installed. null: neither is. */
export function findRedisProgram(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const programs = ['redis-server', 'valkey-server'].flatMap(name =>
    folders.map(folder => join(folder, name)),
  )
  return programs.find(path => existsSync(path)) ?? null
}

/** One for each test file and more; they cost nothing until they are used. */
const DATABASES = 10_000

export type RedisServer = ServerProcess & { readonly url: string }

/**
 * A server of the caller's own on a free port, which it may stop, kill and restart. It keeps no data on disk. A cluster
 * is one server that has all the slots.
 */
export async function startRedisServer({ cluster = false } = {}): Promise<RedisServer> {
  const program = findRedisProgram()
  if (program === null) throw new Error('redis-server is not installed')
  const { path: folder } = await makeTemporaryFolder()
  const port = await findFreePort()
  const url = `redis://127.0.0.1:${port}`
  const options = {
    bind: '127.0.0.1',
    port,
    save: '',
    appendonly: 'no',
    dir: folder,
    // A server that knows no other of its cluster does not know by itself where it can be reached.
    ...(cluster
      ? { 'cluster-enabled': 'yes', 'cluster-announce-ip': '127.0.0.1' }
      : { databases: DATABASES }),
  }
  const server = await startGuardedServer({
    command: [program, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])],
    folder,
    port,
    answers: () => ping(url),
  })
  if (!cluster) return { ...server, url }
  await takeAllSlots(url)
  return { ...server, url: `${url}?cluster=true` }
}

async function takeAllSlots(url: string): Promise<void> {
  const redis = connectOnce(url)
  try {
    await redis.cluster('ADDSLOTSRANGE', 0, 16_383)
    await eventually(async () => expect(await redis.cluster('INFO')).toContain('cluster_state:ok'))
  } finally {
    redis.disconnect()
  }
}

async function ping(url: string): Promise<void> {
  const redis = connectOnce(url)
  try {
    await redis.ping()
  } finally {
    redis.disconnect()
  }
}

function connectOnce(url: string): Redis {
  const redis = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0, connectTimeout: 1_000 })
  // Without a listener a failed attempt is printed; the command that was sent fails all the same.
  redis.on('error', () => {})
  return redis
}

/**
 * The URL of an empty database of the caller's own on the run's server. Messages are not kept apart by database: who
 * listens hears those of other tests too, unless its channels carry a name of its own.
 */
export async function makeRedisDatabase(): Promise<string> {
  const server = inject('redisUrl')
  const redis = connectOnce(server)
  try {
    return `${server}/${await redis.incr('databases')}`
  } finally {
    redis.disconnect()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The Redis server of this run; only in the project `distributed`. */
    redisUrl: string
  }
}
