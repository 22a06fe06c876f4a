import { type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { EntryKind, ledgerEntry, ledgerFilter } from '#contract/ledger.ts'
import { rfc3339 } from '#lib/clock.ts'
import { creditsFromMicros } from '#lib/money.ts'
import { mapPage, type Page, type PageRequest, takePage } from '#lib/page.ts'
import type { Storage } from '#storage/storage.ts'
import type { LedgerEntryRow, Tables } from '#storage/tables.ts'

export type LedgerEntryRecord = z.infer<typeof ledgerEntry>
export type LedgerFilter = z.infer<typeof ledgerFilter>

/** By how much the clocks of nodes that post to one account may differ. */
const CLOCK_SKEW_MS = 60_000

/** The account's entries that fit, newest first; none when there is no such account. */
export async function listEntries(
  { db }: Pick<Storage, 'db'>,
  { accountId, filter }: { readonly accountId: string; readonly filter: LedgerFilter },
  { limit, after }: PageRequest,
): Promise<Page<LedgerEntryRecord>> {
  let fitting = db.selectFrom('ledger_entries').where('account_id', '=', accountId)
  if (after !== null) fitting = fitting.where('sequence', '<', toSequence(after))
  if (filter.kind !== undefined) fitting = fitting.where('kind', 'in', filter.kind)
  if (filter.from !== undefined) {
    const fromMs = Date.parse(filter.from)
    const first = await findFirstSince({ db }, accountId, fromMs - CLOCK_SKEW_MS)
    fitting = fitting.where('created_at', '>=', fromMs).where('sequence', '>=', first)
  }
  if (filter.to !== undefined) {
    const toMs = Date.parse(filter.to)
    const first = await findFirstSince({ db }, accountId, toMs + CLOCK_SKEW_MS)
    fitting = fitting.where('created_at', '<', toMs).where('sequence', '<', first)
  }
  const newest = fitting.orderBy('sequence', 'desc').limit(limit + 1)
  const query =
    filter.kind === undefined || filter.kind.includes('charge')
      ? newest.selectAll()
      : fromFewer({ db }, accountId, newest.select('sequence'))
  return mapPage(
    takePage(await query.execute(), limit, row => String(row.sequence)),
    toLedgerEntryRecord,
  )
}

/**
 * Entries that are no charges are few among very many, and have an index of their own. It is used where the question is in
 * its words, and nothing is asked of it that it does not hold.
 */
function fromFewer(
  { db }: Pick<Storage, 'db'>,
  accountId: string,
  sequences: SelectQueryBuilder<Tables, 'ledger_entries', Pick<LedgerEntryRow, 'sequence'>>,
) {
  return db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('sequence', 'in', sequences.where('kind', '<>', sql.lit<EntryKind>('charge')))
    .orderBy('sequence', 'desc')
}

/**
 * The sequence of the first entry since a moment, or the next to come: entries are numbered in the order in which they
 * were made, so halving finds it in some twenty looks, and no index by time has to be kept for every charge.
 */
async function findFirstSince(
  { db }: Pick<Storage, 'db'>,
  accountId: string,
  sinceMs: number,
): Promise<number> {
  const account = await db
    .selectFrom('accounts')
    .select('ledger_sequence')
    .where('id', '=', accountId)
    .executeTakeFirst()
  let low = 1
  let high = (account?.ledger_sequence ?? 0) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const entry = await db
      .selectFrom('ledger_entries')
      .select('created_at')
      .where('account_id', '=', accountId)
      .where('sequence', '=', middle)
      .executeTakeFirst()
    if (entry !== undefined && entry.created_at < sinceMs) low = middle + 1
    else high = middle
  }
  return low
}

/** A position that is no number is one of another list: nothing comes after it. */
function toSequence(position: string): number {
  return /^\d{1,15}$/.test(position) ? Number(position) : 0
}

/** A ledger entry as its routes show it. */
export function toLedgerEntryRecord(row: LedgerEntryRow): LedgerEntryRecord {
  return {
    id: row.id,
    object: 'ledger_entry',
    kind: row.kind,
    amount: creditsFromMicros(row.amount_micros),
    balance_after: creditsFromMicros(row.balance_after_micros),
    request_id: row.request_id,
    order_id: row.order_id,
    note: row.note,
    created_at: rfc3339(row.created_at),
  }
}
