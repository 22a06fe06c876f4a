import type { Kysely } from 'kysely'

/** What an account's owner was told last about its balance. */
export function accountNotices() {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('account_notices')
        .addColumn('account_id', 'text', c => c.primaryKey().references('accounts.id'))
        .addColumn('status', 'text', c => c.notNull())
        .addColumn('changed_at', 'bigint', c => c.notNull())
        .execute()
    },
  }
}
