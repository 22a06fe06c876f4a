import { Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import { migrate } from '../migrations/migrate.ts'
import type { Tables } from '../tables.ts'
import { Connections } from './connections.ts'
import { postgresDialect } from './dialect.ts'
import { reasonOf } from './faults.ts'

/** Kysely over a pool; `onLost` hears of every failure that the server had no part in. */
export function createKysely(pool: Pool, onLost: () => void): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: postgresDialect(pool, onLost) })
}

/** Brings the schema up to date; of several that do so at once one does it, and the others wait. */
export function migratePostgres(connections: Connections): Promise<void> {
  return withLongStatements(connections, db => migrate(db, { engine: 'postgres' }))
}

/**
 * Brings the schema up to date and fills the database in one transaction: afterwards everything is there, or nothing.
 */
export async function fillPostgres<Result>(
  url: string,
  fill: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const connections = new Connections(url)
  await migratePostgres(connections)
  return withLongStatements(connections, db => db.transaction().execute(fill))
}

async function withLongStatements<Result>(
  connections: Connections,
  work: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const db = createKysely(connections.pool('migrations'), () => {})
  try {
    await sql`select 1`.execute(db).catch(error => {
      throw new Error(`The database of DATABASE_URL can't be used: ${reasonOf(error)}`, { cause: error })
    })
    return await work(db)
  } finally {
    await db.destroy()
  }
}
