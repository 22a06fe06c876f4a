import type { Statement, Storage } from '#storage/storage.ts'

/** The write after which nothing is bought for an account by itself, until its owner decides so anew. */
export function endingAutoTopUp({ db }: Storage, accountId: string): Statement {
  return { query: db.updateTable('auto_top_ups').set({ enabled: 0 }).where('account_id', '=', accountId) }
}
