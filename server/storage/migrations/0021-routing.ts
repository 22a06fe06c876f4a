import type { Kysely } from 'kysely'

/** How the routes of a model are tried, and what each of them costs the operator. */
export function routing() {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await db.schema.alterTable('models').addColumn('routing_json', 'text').execute()
      await db.schema.alterTable('model_routes').addColumn('cost', 'text').execute()
    },
  }
}
