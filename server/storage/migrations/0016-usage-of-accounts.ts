import type { Kysely } from 'kysely'
import { createRollUpTable } from './0008-usage-roll-ups.ts'
import type { MigrationContext } from './migration-context.ts'

/** The sums of each account by day, to be filled by a job: days that are summed up already are summed up again. */
export function usageOfAccounts({ engine }: MigrationContext) {
  return {
    up: async (db: Kysely<unknown>): Promise<void> => {
      await createRollUpTable(db, engine, { table: 'account_days', dimensions: ['account_id'] })
      await db.deleteFrom('folded_days' as never).execute()
    },
  }
}
