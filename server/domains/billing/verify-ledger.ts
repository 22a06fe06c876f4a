/**
 * Proves the books from the records: that the journal is a gapless chain, that every balance follows from it, that
 * every charge is what its request's counts and weights come to, and that the roll-ups of usage are sums of all that.
 */
import { type Kysely, sql } from 'kysely'
import { verifyOrders } from '#domains/orders/verify-orders.ts'
import { findRetentionMark } from '#domains/usage/retention-mark.ts'
import { RollUpProof, verifyDerivedRollUps } from '#domains/usage/verify-roll-ups.ts'
import { findTimeOfId } from '#lib/id.ts'
import { type Micros, micros, ZERO_MICROS } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { AccountRow, LedgerEntryRow, RequestRow, Tables } from '#storage/tables.ts'
import { recordedUsage } from './recorded-usage.ts'
import { unitChargeFromJson } from './unit-weights.ts'
import { pinWeights, weigh } from './weights.ts'
import { weightsFromJson } from './weights-text.ts'

const PAGE_ROWS = 2_000

/** What was checked. Amounts are sums over all accounts. */
export type VerifiedBooks = {
  readonly accounts: number
  readonly entries: number
  readonly charges: number
  readonly requests: number
  readonly orders: number
  readonly allocatedMicros: Micros
  readonly usedMicros: Micros
}

/** The first thing that does not add up, in one sentence. */
export type Discrepancy = string

type JournalTotals = {
  sequence: number
  allocated: Micros
  used: Micros
  lastAllocation: Micros
}

/** Checks everything on one unchanging picture of the store; stops at the first thing that does not add up. */
export async function verifyLedger(db: Kysely<Tables>): Promise<Outcome<VerifiedBooks, Discrepancy>> {
  const journal = await verifyJournal(db)
  if (!journal.ok) return journal
  const accounts = await verifyBalances(db, journal.value.totals)
  if (!accounts.ok) return accounts
  const requests = await verifyRequests(db)
  if (!requests.ok) return requests
  const derived = await verifyDerivedRollUps(db)
  if (derived !== null) return refused(derived)
  const orders = await verifyOrders(db)
  if (!orders.ok) return orders
  const { entries, charges } = journal.value
  return accepted({ ...accounts.value, entries, charges, requests: requests.value, orders: orders.value })
}

type JournalRow = LedgerEntryRow & { readonly request: RequestRow | null }

/** Entries in the order of their accounts and sequences, each with the request that it charges. */
async function* readJournal(db: Kysely<Tables>): AsyncGenerator<JournalRow> {
  let after = { accountId: '', sequence: 0 }
  for (;;) {
    const entries = await db
      .selectFrom('ledger_entries')
      .selectAll()
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('account_id', 'sequence'), '>', tuple(after.accountId, after.sequence)),
      )
      .orderBy('account_id')
      .orderBy('sequence')
      .limit(PAGE_ROWS)
      .execute()
    const requests = await readRequests(db, entries)
    for (const entry of entries) yield { ...entry, request: requests.get(entry.request_id ?? '') ?? null }
    const last = entries.at(-1)
    if (!last) return
    after = { accountId: last.account_id, sequence: last.sequence }
  }
}

async function readRequests(
  db: Kysely<Tables>,
  entries: readonly LedgerEntryRow[],
): Promise<ReadonlyMap<string, RequestRow>> {
  const ids = entries.flatMap(entry => entry.request_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('requests').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, row]))
}

async function verifyJournal(
  db: Kysely<Tables>,
): Promise<Outcome<{ totals: Map<string, JournalTotals>; entries: number; charges: number }, Discrepancy>> {
  const deletedBefore = await findRetentionMark(db)
  const totals = new Map<string, JournalTotals>()
  let entries = 0
  let charges = 0
  for await (const row of readJournal(db)) {
    const total = totals.get(row.account_id) ?? emptyTotals()
    totals.set(row.account_id, total)
    const problem = findEntryProblem(row, total) ?? findChargeProblem(row, deletedBefore)
    if (problem) return refused(`Entry ${row.id} of account ${row.account_id}: ${problem}`)
    entries++
    if (row.kind === 'charge') charges++
  }
  return accepted({ totals, entries, charges })
}

function emptyTotals(): JournalTotals {
  return { sequence: 0, allocated: ZERO_MICROS, used: ZERO_MICROS, lastAllocation: ZERO_MICROS }
}

/** Adds the entry to the totals, and says what is wrong with it. */
function findEntryProblem(row: JournalRow, total: JournalTotals): string | null {
  if (row.sequence !== total.sequence + 1) {
    return `its sequence is ${row.sequence} where ${total.sequence + 1} is due`
  }
  total.sequence = row.sequence
  if (row.kind === 'charge') total.used = micros(total.used - row.amount_micros)
  else total.allocated = micros(total.allocated + row.amount_micros)
  if ((row.kind === 'purchase' || row.kind === 'grant') && row.amount_micros > 0n) {
    total.lastAllocation = row.amount_micros
  }
  const balance = total.allocated - total.used
  return row.balance_after_micros === balance
    ? null
    : `its balance_after is ${row.balance_after_micros} micro-credits where ${balance} follows from the journal`
}

function findChargeProblem({ request, ...entry }: JournalRow, deletedBefore: number): string | null {
  if (entry.kind !== 'charge') return null
  if (entry.request_id === null) return 'a charge without a request'
  if (entry.amount_micros > 0n) return 'a charge that adds to the balance'
  if (request === null) {
    const madeAt = findTimeOfId(entry.request_id)
    // Retention deletes records, and leaves a mark of what it may have deleted.
    if (madeAt !== null && madeAt < deletedBefore) return null
    return `its request ${entry.request_id} is not on record`
  }
  if (request.account_id !== entry.account_id) return `its request ${request.id} is of another account`
  if (request.charge_micros !== -entry.amount_micros) {
    return `it takes ${-entry.amount_micros} micro-credits where its request ${request.id} says ${request.charge_micros}`
  }
  return null
}

async function verifyBalances(
  db: Kysely<Tables>,
  totals: Map<string, JournalTotals>,
): Promise<Outcome<Pick<VerifiedBooks, 'accounts' | 'allocatedMicros' | 'usedMicros'>, Discrepancy>> {
  const charged = await readChargedByHours(db)
  const sums = { accounts: 0, allocatedMicros: ZERO_MICROS, usedMicros: ZERO_MICROS }
  let after = ''
  for (;;) {
    const accounts = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute()
    for (const account of accounts) {
      const problem = findBalanceProblem(account, totals.get(account.id) ?? emptyTotals(), charged)
      if (problem) return refused(`Account ${account.id}: ${problem}`)
      totals.delete(account.id)
      sums.accounts++
      sums.allocatedMicros = micros(sums.allocatedMicros + account.allocated_micros)
      sums.usedMicros = micros(sums.usedMicros + account.used_micros)
    }
    const last = accounts.at(-1)
    if (!last) break
    after = last.id
  }
  const [orphan] = totals.keys()
  return orphan === undefined ? accepted(sums) : refused(`Account ${orphan} has entries but does not exist`)
}

/** What the hours of usage of each account come to: they are kept longer than the records. */
async function readChargedByHours(db: Kysely<Tables>): Promise<ReadonlyMap<string, Micros>> {
  const rows = await db
    .selectFrom('usage_hours')
    .select(['account_id', sql<Micros>`cast(sum(charge_micros) as bigint)`.as('charge_micros')])
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(row => [row.account_id, row.charge_micros]))
}

function findBalanceProblem(
  account: AccountRow,
  total: JournalTotals,
  charged: ReadonlyMap<string, Micros>,
): string | null {
  const pairs = [
    ['allocated', account.allocated_micros, total.allocated],
    ['used', account.used_micros, total.used],
    ['last allocation', account.last_allocation_micros, total.lastAllocation],
    ['ledger sequence', account.ledger_sequence, total.sequence],
  ] as const
  const wrong = pairs.find(([, held, due]) => held !== due)
  if (wrong) return `its ${wrong[0]} is ${wrong[1]} where ${wrong[2]} follows from the journal`
  const byHours = charged.get(account.id) ?? ZERO_MICROS
  return byHours === account.used_micros
    ? null
    : `its used is ${account.used_micros} where its hours of usage come to ${byHours}`
}

async function verifyRequests(db: Kysely<Tables>): Promise<Outcome<number, Discrepancy>> {
  const rollUps = await RollUpProof.begin(db)
  let checked = 0
  let after = ''
  for (;;) {
    const requests = await db
      .selectFrom('requests')
      .leftJoin('ledger_entries', 'ledger_entries.request_id', 'requests.id')
      .selectAll('requests')
      .select('ledger_entries.id as entry_id')
      .where('requests.id', '>', after)
      .orderBy('requests.id')
      .limit(PAGE_ROWS)
      .execute()
    for (const { entry_id, ...request } of requests) {
      const problem = findRequestProblem(request, entry_id !== null) ?? (await rollUps.add(request))
      if (problem) return refused(`Request ${request.id}: ${problem}`)
      checked++
    }
    const last = requests.at(-1)
    if (!last) break
    after = last.id
  }
  const problem = await rollUps.finish()
  return problem === null ? accepted(checked) : refused(`Usage: ${problem}`)
}

function findRequestProblem(request: RequestRow, isCharged: boolean): string | null {
  if (!isCharged) {
    if (request.status === 'succeeded') return 'it succeeded, but no charge for it is on the ledger'
    return request.charge_micros === 0n ? null : 'it has a charge that is not on the ledger'
  }
  if (request.status === 'failed') return 'it failed, but was charged'
  const weights = request.weights_json === null ? null : pinWeights(weightsFromJson(request.weights_json))
  if (weights === null) return 'it was charged without weights'
  if (request.cache_write_1h_tokens > request.cache_write_tokens) {
    return `${request.cache_write_1h_tokens} of its cache writes live longer, of ${request.cache_write_tokens} in all`
  }
  const due = weigh(recordedUsage(request), weights, unitChargeFromJson(request.unit_json))
  return request.charge_micros === due
    ? null
    : `it was charged ${request.charge_micros} micro-credits where its counts and weights come to ${due}`
}
