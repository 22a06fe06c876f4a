import type { Kysely } from 'kysely'

/** What the configuration file manages, and what it said of it when it was applied last. */
export function managedItems() {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('managed_items')
        .addColumn('kind', 'text', c => c.notNull())
        .addColumn('name', 'text', c => c.notNull())
        .addColumn('item_id', 'text', c => c.notNull())
        .addColumn('fingerprint', 'text', c => c.notNull())
        .addPrimaryKeyConstraint('managed_items_once', ['kind', 'name'])
        .execute()
    },
  }
}
