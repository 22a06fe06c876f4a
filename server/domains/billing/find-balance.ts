import type { Balance, Storage } from '#storage/storage.ts'

/** An account's balance as the store has it; null when there is no such account. */
export async function findBalance({ db }: Pick<Storage, 'db'>, accountId: string): Promise<Balance | null> {
  const row = await db
    .selectFrom('accounts')
    .select(['allocated_micros', 'used_micros', 'last_allocation_micros', 'ledger_sequence'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (!row) return null
  return {
    allocatedMicros: row.allocated_micros,
    usedMicros: row.used_micros,
    lastAllocationMicros: row.last_allocation_micros,
    sequence: row.ledger_sequence,
  }
}
