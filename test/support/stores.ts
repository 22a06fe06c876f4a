/** What a service under test stands on: files and memory, or servers, by the project that the test runs in. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, inject } from 'vitest'
import { parseRedisUrl } from '#redis/address.ts'
import type { Config } from '#server/config.ts'
import { openStore, openStoreForReading, sqlitePath } from '#server/open-store.ts'
import type { ReadOnlyStorage, Storage } from '#storage/storage.ts'
import { silentLog } from '#telemetry/log.ts'
import { MIGRATED, makePostgresDatabase, query, type TestDatabase } from './postgres-server.ts'
import { makeRedisDatabase } from './redis-server.ts'

export type Stores = {
  readonly config: Pick<Config, 'databaseUrl' | 'redis'>
  /** The same as the environment of a process. */
  readonly env: Readonly<Record<string, string>>
  /** Opens the store itself, beside the service or after it. */
  open(): Promise<Storage>
  /** Opens it as a command does that only looks. */
  openForReading(): Promise<ReadOnlyStorage>
  /** Changes what is stored behind the service's back, past the store's own guards. */
  tamper(...statements: readonly string[]): Promise<void>
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
    openForReading: () => openStoreForReading({ ...config, dataDir }),
    tamper: async (...statements) => tamperWithFile(sqlitePath(dataDir), statements),
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
    openForReading: () => openStoreForReading({ ...config, dataDir }),
    tamper: async (...statements) => {
      // What a replica applies was checked where it was written: no trigger and no foreign key is asked.
      await query(database.url, ['set session_replication_role = replica', ...statements].join('; '))
    },
    contents: () => readTables(database.url),
  }
}

async function makeServers(postgres?: string): Promise<Servers> {
  const [database, redisUrl] = await Promise.all([makeDatabase(postgres), makeRedisDatabase()])
  return { database, redisUrl }
}

async function makeDatabase(server?: string): Promise<TestDatabase> {
  if (server === undefined) return makePostgresDatabase({ template: MIGRATED })
  // A server of the test's own goes with all that is in it.
  return { ...(await makePostgresDatabase({ server })), drop: async () => {} }
}

function tamperWithFile(path: string, statements: readonly string[]): void {
  const database = new DatabaseSync(path)
  database.exec(
    'drop trigger ledger_entries_no_update; drop trigger ledger_entries_no_delete; pragma foreign_keys = off',
  )
  for (const statement of statements) database.exec(statement)
  database.close()
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
