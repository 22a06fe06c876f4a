import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { foldDays } from '#domains/usage/fold-days.ts'
import { systemClock } from '#lib/clock.ts'
import { deferredFolder } from '#storage/deferred/list-waiting.ts'
import { openPostgresStorage } from '#storage/postgres/postgres-storage.ts'
import { openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import { signInAsAdministrator } from '../admin-client.ts'
import type { Child, Children } from '../children.ts'
import type { Target } from '../driver/jobs.ts'
import { originOf, setUp, startNode } from '../gateway.ts'
import type { Stores } from '../stores.ts'
import { type FillOptions, fillUsage } from './fill.ts'

export type FilledGateway = {
  readonly origin: string
  readonly child: Child
  readonly target: Target
  /** The account that has a quarter of all usage. */
  readonly account: { readonly id: string; readonly keyId: string }
  readonly credentials: Readonly<Record<'client' | 'admin', { email: string; password: string }>>
}

export type FilledGatewayOptions = {
  readonly upstreamPort: number
  readonly records: number
  readonly days: number
  /** null: the embedded ones. */
  readonly stores: Stores | null
  readonly progress: (text: string) => void
}

/** Starts the gateway on an empty store, sets it up, ends it, fills the store with usage, and starts it again. */
export async function startFilledGateway(
  children: Children,
  { upstreamPort, stores, ...fill }: FilledGatewayOptions,
): Promise<FilledGateway> {
  const dataDir = children.temporaryFolder()
  const credentials = { email: 'bench@example.org', password: randomUUID() }
  const node = { name: 'gateway', dataDir, credentials, stores }
  const empty = await startNode(children, node)
  const admin = await signInAsAdministrator(originOf(empty.port), credentials)
  const { accountId, owner, keyId, token } = await setUp(admin, { upstreamPort, kind: 'openai' })
  await empty.child.stop()
  const account = { id: accountId, ownerId: owner.id, keyId }
  const databaseUrl = stores?.environment.DATABASE_URL ?? null
  await fillStore({ dataDir, databaseUrl }, { ...fill, untilMs: Date.now(), account })
  const { child, port } = await startNode(children, node)
  return {
    origin: originOf(port),
    child,
    target: {
      ports: [port],
      pids: [child.pid],
      storePids: stores?.pids ?? [],
      sliceStatPaths: [],
      dialect: 'chat',
      token,
    },
    account: { id: accountId, keyId },
    credentials: { client: owner, admin: credentials },
  }
}

type Store = { readonly dataDir: string; readonly databaseUrl: string | null }

async function fillStore({ dataDir, databaseUrl }: Store, options: FillOptions): Promise<void> {
  const databasePath = path.join(dataDir, 'goldweight.db')
  const db = databaseUrl === null ? overSqlite(databasePath) : overPostgres(databaseUrl)
  await fillUsage(db, options)
  // Left alone, a server comes to this by itself.
  if (databaseUrl !== null) await sql`vacuum analyze`.execute(db)
  await db.destroy()
  const storage =
    databaseUrl === null
      ? await openSqliteStorage(databasePath)
      : await openPostgresStorage({
          url: databaseUrl,
          deferredFolder: deferredFolder(dataDir),
          report: () => {},
        })
  await foldDays({ storage, clock: systemClock, sleep: async () => {} })
  await storage.close()
  options.progress('sums of days')
}

function overPostgres(url: string): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }),
  })
}

function overSqlite(databasePath: string): Kysely<unknown> {
  const database = new DatabaseSync(databasePath)
  database.exec('pragma synchronous = off; pragma cache_size = -262144')
  // What is bound are numbers, bigints and texts.
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  const prepare = (text: string) => {
    const statement = database.prepare(text)
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => statement.all(...values(parameters)),
      run: (parameters: readonly unknown[]) => statement.run(...values(parameters)),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)),
    }
  }
  return new Kysely<unknown>({
    dialect: new SqliteDialect({ database: { prepare, close: () => database.close() } }),
  })
}
