import { type Kysely, sql } from 'kysely'

/** Finds the few entries that are no charges among very many that are, and costs a charge nothing. */
export function entriesBesideCharges() {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await db.schema
        .createIndex('ledger_entries_beside_charges')
        .on('ledger_entries')
        .columns(['account_id', 'sequence'])
        .where(sql.ref('kind'), '<>', sql.lit('charge'))
        .execute()
    },
  }
}
