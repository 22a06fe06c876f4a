import type { Kysely } from 'kysely'

/** Where a package stands among those on sale: lower goes first. */
export function packagePosition() {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .alterTable('packages')
        .addColumn('position', 'integer', c => c.notNull().defaultTo(0))
        .execute()
    },
  }
}
