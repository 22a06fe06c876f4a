import type { ServiceError } from '#contract/errors.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome } from '#lib/outcome.ts'
import type { OrderRow } from '#storage/sales-tables.ts'
import type { Storage } from '#storage/storage.ts'
import { type Log, loggableError } from '#telemetry/log.ts'
import type { PaymentProcessors, PaymentStanding } from './payment-processor.ts'
import { findOrder, type SettleOrder } from './settle-order.ts'
import type { EventSubject, SignedDelivery } from './stripe/read-event.ts'

/** Reads a processor's message; null when it concerns no payment of ours. */
export type ReadDelivery = (delivery: SignedDelivery) => Promise<Outcome<EventSubject | null, ServiceError>>

/** How our orders learn how their payments stand. */
export type Payments = {
  /**
   * Takes a processor's message: it only says where to look, what is true is asked of the processor. Throws when the
   * processor or the store does not answer; the sender then tries again.
   */
  receive(delivery: SignedDelivery): Promise<Outcome<null, ServiceError>>
  /** Asks how an order's payment stands and settles it. */
  refresh(order: OrderRow): Promise<OrderRow>
  /** Settles an order by a standing that is known already, and keeps a payment method that came with it. */
  apply(order: OrderRow, standing: PaymentStanding): Promise<OrderRow>
  /** Asks after every order that waits, and closes those whose time is over: no message is needed for any of it. */
  watch(): Promise<void>
}

export type PaymentsParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly settle: SettleOrder
  readonly processors: PaymentProcessors
  readonly readDelivery: ReadDelivery
  readonly log: Log
}

const WATCHED_AT_ONCE = 500
/** An order that never got a page to pay on: its process ended half-way. */
const ABANDONED_AFTER_MS = 3_600_000

export function createPayments(parts: PaymentsParts): Payments {
  const { storage, clock, processors, log } = parts

  async function apply(order: OrderRow, standing: PaymentStanding): Promise<OrderRow> {
    const settled = (await parts.settle(order.id, standing)) ?? order
    if (standing.savedMethod) await keepMethod(storage, order, standing.savedMethod, clock.now())
    if (settled.problem !== null && settled.problem !== order.problem) {
      log.warn({ order_id: order.id, problem: settled.problem }, 'an order failed')
    }
    return settled
  }

  async function refresh(order: OrderRow): Promise<OrderRow> {
    const standing = processors.get(order.processor)?.standing
    return standing ? apply(order, await standing(order)) : order
  }

  async function watchOne(order: OrderRow): Promise<void> {
    const now = clock.now()
    const asked = await refresh(order)
    const isOver = asked.expires_at !== null && asked.expires_at < now
    // Automatic top-ups have no page: whoever makes them goes on with those that were interrupted.
    const mayBeAbandoned = asked.state === 'created' && asked.automatic === 0
    const isAbandoned = mayBeAbandoned && asked.created_at < now - ABANDONED_AFTER_MS
    if (!isOver && !isAbandoned) return
    if (asked.state !== 'created' && asked.state !== 'awaiting_payment') return
    const ended = { state: 'expired' as const, problem: null }
    await parts.settle(order.id, { ...NOTHING_RECEIVED, ended })
  }

  return {
    receive: async delivery => {
      const subject = await parts.readDelivery(delivery)
      if (!subject.ok) return subject
      const order = subject.value?.orderId ? await findOrder(storage, subject.value.orderId) : undefined
      // Other sales of the same Stripe account are none of our business.
      if (!order || !subject.value) return accepted(null)
      const { checkoutReference, paymentReference } = subject.value
      await refresh({
        ...order,
        checkout_reference: order.checkout_reference ?? checkoutReference,
        payment_reference: order.payment_reference ?? paymentReference,
      })
      return accepted(null)
    },
    refresh,
    apply,
    watch: async () => {
      for (const order of await listOpen(storage)) {
        await watchOne(order).catch((error: unknown) => {
          log.warn({ order_id: order.id, error: loggableError(error) }, 'a payment could not be looked up')
        })
      }
    },
  }
}

const NOTHING_RECEIVED: Omit<PaymentStanding, 'ended'> = {
  received: null,
  refundedMinor: 0,
  isDisputed: false,
  paymentReference: null,
  savedMethod: null,
}

async function listOpen({ db }: Storage): Promise<OrderRow[]> {
  return await db
    .selectFrom('orders')
    .selectAll()
    .where('state', 'in', ['created', 'awaiting_payment'])
    .orderBy('id')
    .limit(WATCHED_AT_ONCE)
    .execute()
}

/** One method an account: the one that was saved last. */
async function keepMethod(
  storage: Storage,
  { account_id, processor }: OrderRow,
  saved: NonNullable<PaymentStanding['savedMethod']>,
  now: number,
): Promise<void> {
  const method = { processor, ...saved, created_at: now }
  await storage.commit([
    {
      query: storage.db
        .insertInto('payment_methods')
        .values({ account_id, ...method })
        .onConflict(conflict => conflict.column('account_id').doUpdateSet(method)),
    },
  ])
}
