import type { Kysely } from 'kysely'

/** What is charged by images, seconds, searches and characters: the weights of a model, and the entry of a request. */
export function unitWeights() {
  return { up }
}

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('models').addColumn('unit_weights_json', 'text').execute()
  await db.schema.alterTable('requests').addColumn('unit_json', 'text').execute()
}
