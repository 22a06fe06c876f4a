import { type Kysely, sql } from 'kysely'
import type { MigrationContext } from './migration-context.ts'

/**
 * The guards of 0027 look into tables, and find them whatever the session that writes searches through: a restore of data
 * alone searches nowhere, which foreign keys do not mind.
 */
export function guardsFindTables({ engine }: MigrationContext) {
  return { up: async (db: Kysely<unknown>) => (engine === 'postgres' ? rememberSchema(db) : undefined) }
}

async function rememberSchema(db: Kysely<unknown>): Promise<void> {
  for (const name of ['goldweight_refuse_stray_entries', 'goldweight_keep_accounts_of_entries'])
    await sql`alter function ${sql.id(name)}() set search_path from current`.execute(db)
}
