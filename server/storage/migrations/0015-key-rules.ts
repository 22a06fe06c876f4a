import type { Kysely } from 'kysely'

/** What a single key may use and spend. */
export function keyRules() {
  return { up }
}

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('models_json', 'text').execute()
  await db.schema.alterTable('api_keys').addColumn('spending_cap_micros', 'bigint').execute()
  await db.schema.alterTable('api_keys').addColumn('spending_cap_period', 'text').execute()
}
