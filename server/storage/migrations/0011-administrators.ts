import type { Kysely } from 'kysely'

/** What administrators may do, and whether they still may. Whoever was there before owns the service. */
export function administrators() {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .alterTable('administrators')
        .addColumn('role', 'text', c => c.notNull().defaultTo('owner'))
        .execute()
      await db.schema
        .alterTable('administrators')
        .addColumn('status', 'text', c => c.notNull().defaultTo('active'))
        .execute()
    },
  }
}
