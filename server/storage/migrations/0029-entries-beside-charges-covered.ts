import { type Kysely, sql } from 'kysely'

/** The index of 0009 with all that entries are chosen by: SQLite's planner takes no other before the ledger's own order. */
export function entriesBesideChargesCovered() {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await db.schema.dropIndex('ledger_entries_beside_charges').execute()
      await db.schema
        .createIndex('ledger_entries_beside_charges')
        .on('ledger_entries')
        .columns(['account_id', 'sequence', 'kind', 'created_at'])
        .where(sql.ref('kind'), '<>', sql.lit('charge'))
        .execute()
    },
  }
}
