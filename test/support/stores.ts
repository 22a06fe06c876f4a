/** What a service under test stands on: files and memory, or servers, by the project that the test runs in. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { parseRedisUrl } from '#redis/address.ts'
import type { Config } from '#server/config.ts'
import { openStore } from '#server/open-store.ts'
import type { Storage } from '#storage/storage.ts'
import { silentLog } from '#telemetry/log.ts'
import { makePostgresDatabase, query, type TestDatabase } from './postgres-server.ts'
import { makeRedisDatabase } from './redis-server.ts'

export type Stores = {
  readonly config: Pick<Config, 'databaseUrl' | 'redis'>
  /** The same as the environment of a process. */
  readonly env: Readonly<Record<string, string>>
  /** Opens the store itself, beside the service or after it. */
  open(): Promise<Storage>
  /** Everything that is stored, as it is stored. */
  contents(): Promise<Buffer>
}

const SECRET = 'a secret for tests alone'

type Servers = { readonly database: TestDatabase; readonly redisUrl: string }

/** What was made on the servers, by the data folder of the service that uses it. */
const made = new Map<string, Promise<Servers>>()

afterAll(async () => {
  await Promise.all([...made.values()].map(async servers => (await servers).database.drop()))
  made.clear()
})

/**
 * The stores of the service with this data folder: empty at first, and the same again whenever it is started.
 * `postgres`: the URL of a server of the test's own, given when they are first asked for.
 */
export async function storesOf(dataDir: string, postgres?: string): Promise<Stores> {
  return inject('engines') === 'embedded' ? embeddedStores(dataDir) : serverStores(dataDir, postgres)
}

function embeddedStores(dataDir: string): Stores {
  const config = { databaseUrl: null, redis: null }
  return {
    config,
    env: {},
    open: () => openStore({ ...config, dataDir }, silentLog),
    contents: () => readFiles(dataDir),
  }
}

async function serverStores(dataDir: string, postgres?: string): Promise<Stores> {
  const servers = made.get(dataDir) ?? makeServers(postgres)
  made.set(dataDir, servers)
  const { database, redisUrl } = await servers
  const config = { databaseUrl: database.url, redis: parseRedisUrl(redisUrl) }
  return {
    config,
    env: { DATABASE_URL: database.url, REDIS_URL: redisUrl, GOLDWEIGHT_SECRET: SECRET },
    open: () => openStore({ ...config, dataDir }, silentLog),
    contents: () => readTables(database.url),
  }
}

async function makeServers(postgres?: string): Promise<Servers> {
  const [database, redisUrl] = await Promise.all([makePostgresDatabase(postgres), makeRedisDatabase()])
  // A server of the test's own goes with all that is in it.
  return { database: postgres === undefined ? database : { ...database, drop: async () => {} }, redisUrl }
}

async function readFiles(folder: string): Promise<Buffer> {
  const names = await readdir(folder)
  return Buffer.concat(await Promise.all(names.map(name => readFile(join(folder, name)))))
}

async function readTables(url: string): Promise<Buffer> {
  const tables = await query(url, "select tablename from pg_tables where schemaname = 'public'")
  const texts = await Promise.all(
    tables.map(({ tablename }) => query(url, `select stored::text from "${tablename}" as stored`)),
  )
  return Buffer.from(JSON.stringify(texts))
}
