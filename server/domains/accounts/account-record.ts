import type { z } from 'zod'
import type { account } from '#contract/accounts.ts'
import { creditUsage } from '#domains/billing/credit-usage.ts'
import { rfc3339, rfc3339OrNull } from '#lib/clock.ts'
import type { Storage } from '#storage/storage.ts'
import type { AccountRow, UserRow } from '#storage/tables.ts'

export type AccountRecord = z.infer<typeof account>

/** An account's row with its owner's e-mail and name beside it. */
export type AccountWithOwner = Omit<AccountRow, 'ledger_sequence'> & {
  readonly owner_email: string
  readonly owner_name: string
  readonly closer_name: string | null
}

export function selectAccounts({ db }: Storage) {
  return db
    .selectFrom('accounts')
    .innerJoin('users as owner', 'owner.id', 'accounts.owner_id')
    .leftJoin('administrators as closer', 'closer.id', 'accounts.closed_by')
    .select([
      'accounts.id',
      'accounts.name',
      'accounts.owner_id',
      'accounts.status',
      'accounts.allocated_micros',
      'accounts.used_micros',
      'accounts.last_allocation_micros',
      'accounts.created_at',
      'accounts.closed_at',
      'accounts.closed_by',
      'owner.email as owner_email',
      'owner.name as owner_name',
      'closer.name as closer_name',
    ])
}

/** A new account as administrators see it: it has no credits, whatever is called low. */
export function newAccountRecord(account: AccountRow, owner: Pick<UserRow, 'email' | 'name'>): AccountRecord {
  return toAccountRecord(
    { ...account, owner_email: owner.email, owner_name: owner.name, closer_name: null },
    0,
  )
}

/** An account as administrators see it; below `lowPercent` of what was last allocated its credits are low. */
export function toAccountRecord(row: AccountWithOwner, lowPercent: number): AccountRecord {
  return {
    id: row.id,
    object: 'account',
    name: row.name,
    status: row.status,
    ...creditUsage(
      {
        allocatedMicros: row.allocated_micros,
        usedMicros: row.used_micros,
        lastAllocationMicros: row.last_allocation_micros,
      },
      lowPercent,
    ),
    owner: { id: row.owner_id, email: row.owner_email, name: row.owner_name },
    created_at: rfc3339(row.created_at),
    closed_at: rfc3339OrNull(row.closed_at),
    closed_by: row.closed_by === null ? null : { id: row.closed_by, name: row.closer_name ?? '' },
  }
}
