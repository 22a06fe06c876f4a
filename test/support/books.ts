/** Reckons an account's books from the bare rows, without the code that keeps them. */
import { expect } from 'vitest'
import type { Storage } from '#storage/storage.ts'
import type { AccountRow, LedgerEntryRow, RequestRow } from '#storage/tables.ts'

export type Books = {
  readonly account: AccountRow
  /** In the order of their sequence. */
  readonly entries: readonly LedgerEntryRow[]
  readonly requests: readonly RequestRow[]
}

/** Reads all of it as of one moment. */
export function readBooks(storage: Pick<Storage, 'snapshot'>, accountId: string): Promise<Books> {
  return storage.snapshot(async db => ({
    account: await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow(),
    entries: await db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('sequence')
      .execute(),
    requests: await db
      .selectFrom('requests')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute(),
  }))
}

/** Fails unless the balance follows from the entries, the entries form one chain, and charges and requests agree. */
export function expectBooksToAddUp({ account, entries, requests }: Books): void {
  let allocated = 0n
  let used = 0n
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'charge') used -= entry.amount_micros
    else allocated += entry.amount_micros
    expect(entry.sequence).toBe(index + 1)
    expect(entry.balance_after_micros).toBe(allocated - used)
  }
  expect({
    allocated: account.allocated_micros,
    used: account.used_micros,
    sequence: account.ledger_sequence,
  }).toEqual({ allocated, used, sequence: entries.length })

  const charges = new Map(entries.flatMap(entry => (entry.request_id ? [[entry.request_id, entry]] : [])))
  expect(charges.size).toBe(entries.filter(entry => entry.kind === 'charge').length)
  expect(requests.reduce((sum, request) => sum + request.charge_micros, 0n)).toBe(used)
  for (const request of requests) {
    const charge = charges.get(request.id)
    if (request.status === 'succeeded') expect(charge, request.id).toBeDefined()
    if (request.status === 'failed') expect(charge, request.id).toBeUndefined()
    expect(-(charge?.amount_micros ?? 0n)).toBe(request.charge_micros)
    charges.delete(request.id)
  }
  expect([...charges.keys()]).toEqual([])
}
