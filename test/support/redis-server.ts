/** Throw-away Redis servers. */
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, inject } from 'vitest'
import { eventually } from './eventually.ts'
import { findFreePort, type ServerProcess, startGuardedServer } from './guarded-server.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'
import { TEST_AUTHORITY, writeIdentity } from './tls-identity.ts'

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

const PASSWORD = 'p@ss word/1'
/** What docs/operating/many-nodes.md says that a node needs. */
const RIGHTS =
  '~gw:* ~goldweight:* &goldweight:* -@all +@connection +@scripting +@pubsub +@string +@hash +@sortedset +@keyspace ' +
  '-@dangerous +info +time'

export type RedisServerOptions = {
  /** One server of a cluster: by itself with all slots, or to be made one of several. */
  readonly cluster?: 'all slots' | 'no slots'
  /** Proves who it is, knows one user with a password, and takes no connection that could be listened to. */
  readonly isSecured?: boolean
}

/** A server of the caller's own on a free port, which it may stop, kill and restart. It keeps no data on disk. */
export async function startRedisServer({
  cluster,
  isSecured = false,
}: RedisServerOptions = {}): Promise<RedisServer> {
  const program = findRedisProgram()
  if (program === null) throw new Error('redis-server is not installed')
  const { path: folder } = await makeTemporaryFolder()
  const port = await findFreePort()
  const url = isSecured
    ? `rediss://goldweight:${encodeURIComponent(PASSWORD)}@localhost:${port}`
    : `redis://127.0.0.1:${port}`
  const options = {
    bind: '127.0.0.1',
    port,
    save: '',
    appendonly: 'no',
    dir: folder,
    // A server that knows no other of its cluster does not know by itself where it can be reached.
    ...(cluster
      ? {
          'cluster-enabled': 'yes',
          'cluster-announce-ip': '127.0.0.1',
          'cluster-port': await findFreePort(),
          'cluster-node-timeout': 1_000,
        }
      : { databases: DATABASES }),
    ...(isSecured ? await secure(folder, port) : {}),
  }
  const server = await startGuardedServer({
    command: [program, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])],
    folder,
    port,
    answers: () => ping(url),
  })
  if (cluster !== 'all slots') return { ...server, url }
  await takeAllSlots(url)
  return { ...server, url: `${url}?cluster=true` }
}

async function secure(folder: string, port: number) {
  const { cert, key, authority } = await writeIdentity(folder)
  const users = join(folder, 'users')
  await writeFile(users, `user default off\nuser goldweight on ${RIGHTS} #${hash('sha256', PASSWORD)}\n`)
  return {
    port: 0,
    'tls-port': port,
    'tls-cert-file': cert,
    'tls-key-file': key,
    'tls-ca-cert-file': authority,
    'tls-auth-clients': 'no',
    aclfile: users,
  }
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
  const tls = url.startsWith('rediss:') ? { tls: { ca: TEST_AUTHORITY } } : {}
  const redis = new Redis(url, {
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    ...tls,
  })
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
