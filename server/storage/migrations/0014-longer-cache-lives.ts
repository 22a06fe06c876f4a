import type { Kysely } from 'kysely'

/** How many of the tokens that a request wrote into a cache were to live for an hour: they may weigh otherwise. */
export function longerCacheLives() {
  return { up }
}

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('requests')
    .addColumn('cache_write_1h_tokens', 'bigint', column => column.notNull().defaultTo(0))
    .execute()
}
