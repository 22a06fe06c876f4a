import type { Kysely } from 'kysely'

/** How the routes of a request fared, where more was to be told than that the first one answered. */
export function attempts() {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await db.schema.alterTable('requests').addColumn('attempts_json', 'text').execute()
    },
  }
}
