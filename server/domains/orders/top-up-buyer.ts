import type { Clock } from '#lib/clock.ts'
import type { Micros } from '#lib/money.ts'
import type { AutoTopUpRow, OrderRow } from '#storage/sales-tables.ts'
import type { Storage } from '#storage/storage.ts'
import { type Log, loggableError } from '#telemetry/log.ts'
import { findMethod, sumSpent } from './auto-top-up.ts'
import type { PaymentProcessors, PaymentStanding } from './payment-processor.ts'
import type { Payments } from './payments.ts'
import { findOnSale, newOrder } from './place-order.ts'

const HOUR_MS = 3_600_000
/** After a failure the next attempt waits an hour, then two, four … and never longer than a day. */
const LONGEST_WAIT_MS = 24 * HOUR_MS
/** Until then the node that made an order may still be charging it. */
const INTERRUPTED_AFTER_MS = 60_000

/** Buys for accounts whose balance has fallen below their threshold: one order at a time, within their ceiling. */
export type TopUpBuyer = {
  /** Looks at every account with automatic top-ups, and at orders whose charging was interrupted. */
  run(): Promise<void>
  /** Below which balance each account is topped up. */
  readThresholds(): Promise<ReadonlyMap<string, Micros>>
}

export type TopUpBuyerParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly processors: PaymentProcessors
  readonly payments: Pick<Payments, 'apply'>
  readonly log: Log
}

export function createTopUpBuyer(parts: TopUpBuyerParts): TopUpBuyer {
  const { storage, log } = parts
  return {
    readThresholds: async () => {
      const rows = await storage.db
        .selectFrom('auto_top_ups')
        .select(['account_id', 'threshold_micros'])
        .where('enabled', '=', 1)
        .execute()
      return new Map(rows.map(row => [row.account_id, row.threshold_micros]))
    },
    run: async () => {
      const now = parts.clock.now()
      for (const order of await listInterrupted(storage, now - INTERRUPTED_AFTER_MS))
        await attempt(() => goOn(parts, order), order.account_id)
      for (const topUp of await listDue(storage, now)) {
        await attempt(() => buy(parts, topUp), topUp.account_id)
      }
    },
  }

  async function attempt(run: () => Promise<void>, accountId: string): Promise<void> {
    await run().catch((error: unknown) => {
      log.warn({ account_id: accountId, error: loggableError(error) }, 'an automatic top-up was interrupted')
    })
  }
}

/** Enabled, below the threshold, not waiting after a failure, and with no order of the kind under way. */
async function listDue({ db }: Storage, now: number): Promise<AutoTopUpRow[]> {
  return await db
    .selectFrom('auto_top_ups')
    .innerJoin('accounts', 'accounts.id', 'auto_top_ups.account_id')
    .selectAll('auto_top_ups')
    .where('auto_top_ups.enabled', '=', 1)
    .where('accounts.status', '=', 'active')
    .where(({ eb }) =>
      eb(
        eb('accounts.allocated_micros', '-', eb.ref('accounts.used_micros')),
        '<',
        eb.ref('threshold_micros'),
      ),
    )
    .where(({ or, eb }) => or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', now)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('orders')
            .select('orders.id')
            .whereRef('orders.account_id', '=', 'auto_top_ups.account_id')
            .where('orders.automatic', '=', 1)
            .where('orders.state', 'in', ['created', 'awaiting_payment']),
        ),
      ),
    )
    .execute()
}

/** Orders whose process ended before it knew whether it had been paid: asking again is the same payment. */
async function listInterrupted({ db }: Storage, madeBefore: number): Promise<OrderRow[]> {
  return await db
    .selectFrom('orders')
    .selectAll()
    .where('automatic', '=', 1)
    .where('state', '=', 'created')
    .where('created_at', '<', madeBefore)
    .execute()
}

async function buy(parts: TopUpBuyerParts, topUp: AutoTopUpRow): Promise<void> {
  const { storage, clock } = parts
  const sold = await findOnSale(storage, topUp.package_id)
  const method = await findMethod(storage, topUp.account_id)
  if (!sold || !method) {
    return noteFailure(
      parts,
      topUp,
      sold ? 'No payment method is saved' : 'The package is not on sale any more',
    )
  }
  const now = clock.now()
  // Reaching the ceiling is no failure: with the next month there is room again.
  if ((await sumSpent(storage, topUp.account_id, now)) + sold.price_minor > topUp.monthly_ceiling_minor)
    return
  const order = newOrder(sold, {
    accountId: topUp.account_id,
    userId: null,
    processor: method.processor,
    now,
  })
  const made = await storage.commit([
    // Fails if an order was made since the balance was looked at: it may have been paid by now.
    {
      query: storage.db
        .updateTable('auto_top_ups')
        .set({ orders_made: topUp.orders_made + 1 })
        .where('account_id', '=', topUp.account_id)
        .where('orders_made', '=', topUp.orders_made)
        .where('enabled', '=', 1),
      expectRows: 1,
    },
    { query: storage.db.insertInto('orders').values(order), expectRows: 1 },
  ])
  if (made.kind === 'committed') await charge(parts, order)
}

async function charge(parts: TopUpBuyerParts, order: OrderRow): Promise<void> {
  await settle(parts, order, await pay(parts, order))
}

/**
 * What was charged before the interruption is asked for first, however long ago it was, and whatever became of the account
 * and its payment method: it is paid for.
 */
async function goOn(parts: TopUpBuyerParts, order: OrderRow): Promise<void> {
  const charged = await parts.processors.get(order.processor)?.findSavedCharge?.(order)
  await settle(parts, order, charged ?? (await pay(parts, order)))
}

async function settle(parts: TopUpBuyerParts, order: OrderRow, standing: PaymentStanding): Promise<void> {
  const settled = await parts.payments.apply(order, standing)
  if (standing === WITHHELD) return
  const topUp = await parts.storage.db
    .selectFrom('auto_top_ups')
    .selectAll()
    .where('account_id', '=', order.account_id)
    .executeTakeFirst()
  if (!topUp) return
  if (settled.state === 'failed') await noteFailure(parts, topUp, settled.problem ?? 'The payment failed')
  else await noteSuccess(parts, topUp)
}

/** Charges the saved method, unless the account was suspended or closed since the order was made. */
async function pay({ storage, processors }: TopUpBuyerParts, order: OrderRow): Promise<PaymentStanding> {
  const processor = processors.get(order.processor)
  const method = await findMethod(storage, order.account_id)
  if (!processor?.chargeSaved || !method) return notCharged('No payment method is saved')
  return (await isActive(storage, order.account_id)) ? processor.chargeSaved(order, method) : WITHHELD
}

async function isActive({ db }: Storage, accountId: string): Promise<boolean> {
  const query = db.selectFrom('accounts').select('status').where('id', '=', accountId)
  return (await query.executeTakeFirst())?.status === 'active'
}

function notCharged(problem: string): PaymentStanding {
  return {
    received: null,
    refundedMinor: 0,
    isDisputed: false,
    ended: { state: 'failed', problem },
    paymentReference: null,
    savedMethod: null,
  }
}

const WITHHELD = notCharged('The account was suspended or closed before anything was charged')

async function noteFailure(
  { storage, clock }: TopUpBuyerParts,
  { account_id, failures }: AutoTopUpRow,
  problem: string,
): Promise<void> {
  const wait = Math.min(HOUR_MS * 2 ** failures, LONGEST_WAIT_MS)
  await update(storage, account_id, {
    failures: failures + 1,
    next_attempt_at: clock.now() + wait,
    problem,
  })
}

async function noteSuccess(
  { storage }: TopUpBuyerParts,
  { account_id, failures }: AutoTopUpRow,
): Promise<void> {
  if (failures > 0) await update(storage, account_id, { failures: 0, next_attempt_at: null, problem: null })
}

async function update(storage: Storage, accountId: string, columns: Partial<AutoTopUpRow>): Promise<void> {
  await storage.commit([
    { query: storage.db.updateTable('auto_top_ups').set(columns).where('account_id', '=', accountId) },
  ])
}
