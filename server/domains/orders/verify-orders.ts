/** Proves that orders and ledger agree: what was sold is credited once, what was paid back is taken back, no more. */
import type { Kysely } from 'kysely'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { OrderRow } from '#storage/sales-tables.ts'
import type { LedgerEntryRow, Tables } from '#storage/tables.ts'

const PAGE_ROWS = 2_000

/** Checks every order on one picture of the store; gives how many there are, or the first thing that is wrong. */
export async function verifyOrders(db: Kysely<Tables>): Promise<Outcome<number, string>> {
  const stray = await findStrayEntry(db)
  if (stray !== null) return refused(stray)
  let checked = 0
  let after = ''
  for (;;) {
    const orders = await db
      .selectFrom('orders')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute()
    const entries = await readEntries(db, orders)
    for (const order of orders) {
      const problem = findOrderProblem(order, entries.get(order.id) ?? [])
      if (problem !== null) return refused(`Order ${order.id}: ${problem}`)
    }
    checked += orders.length
    const last = orders.at(-1)
    if (!last) return accepted(checked)
    after = last.id
  }
}

async function readEntries(
  db: Kysely<Tables>,
  orders: readonly OrderRow[],
): Promise<ReadonlyMap<string, LedgerEntryRow[]>> {
  const entries = new Map<string, LedgerEntryRow[]>()
  if (orders.length === 0) return entries
  const ids = orders.map(order => order.id)
  const rows = await db.selectFrom('ledger_entries').selectAll().where('order_id', 'in', ids).execute()
  for (const row of rows) entries.set(row.order_id ?? '', [...(entries.get(row.order_id ?? '') ?? []), row])
  return entries
}

/** An entry that names an order of another account, or one that does not exist; or a purchase without an order. */
async function findStrayEntry(db: Kysely<Tables>): Promise<string | null> {
  const stray = await db
    .selectFrom('ledger_entries')
    .leftJoin('orders', 'orders.id', 'ledger_entries.order_id')
    .select(['ledger_entries.id as entry_id', 'ledger_entries.order_id as order_id'])
    .where(({ or, and, eb, ref }) =>
      or([
        and([eb('ledger_entries.order_id', 'is not', null), eb('orders.id', 'is', null)]),
        and([
          eb('ledger_entries.order_id', 'is not', null),
          eb('orders.account_id', '!=', ref('ledger_entries.account_id')),
        ]),
        and([eb('ledger_entries.kind', '=', 'purchase'), eb('ledger_entries.order_id', 'is', null)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  if (!stray) return null
  return stray.order_id === null
    ? `Entry ${stray.entry_id}: a purchase without an order`
    : `Entry ${stray.entry_id}: names order ${stray.order_id}, which its account does not have`
}

function findOrderProblem(order: OrderRow, entries: readonly LedgerEntryRow[]): string | null {
  const purchases = entries.filter(entry => entry.kind === 'purchase')
  if (order.paid_at === null) {
    return entries.length === 0 ? null : `it is ${order.state}, but ${entries.length} entries name it`
  }
  if (purchases.length !== 1) return `it was paid, but has ${purchases.length} purchases on the ledger`
  const credited = entries.reduce((sum, entry) => sum + entry.amount_micros, 0n)
  const due = order.credits_micros - order.taken_back_micros
  return credited === due
    ? null
    : `its entries come to ${credited} micro-credits where ${due} are due (${order.credits_micros} sold, ${order.taken_back_micros} taken back)`
}
