import type { Kysely } from 'kysely'

/** Accounts that were closed for good, when and by whom. */
export function closedAccounts() {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await db.schema.alterTable('accounts').addColumn('closed_at', 'bigint').execute()
      await db.schema.alterTable('accounts').addColumn('closed_by', 'text').execute()
    },
  }
}
