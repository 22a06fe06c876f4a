import { refusals, type ServiceError } from '#contract/errors.ts'
import type { OrderState, ProcessorName } from '#contract/orders.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { OrderRow } from '#storage/sales-tables.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import { toAuditedOrder } from './order-record.ts'
import { PaymentProcessorFailed, type PaymentProcessors, type PaymentStanding } from './payment-processor.ts'
import { type OrderRequest, placeOrder } from './place-order.ts'
import { findOrder, type SettleOrder } from './settle-order.ts'

/** Buying credits. What a payment does to a balance is decided in `settle-order.ts` alone. */
export type Orders = {
  place(request: OrderRequest): Promise<Outcome<OrderRow, ServiceError>>
  find(id: string): Promise<OrderRow | null>
  /** Those of an account, newest first. */
  list(accountId: string, page: PageRequest): Promise<Page<OrderRow>>
  /** The ways to pay that are set up, in the order in which they are offered. */
  listOffered(): Promise<ProcessorName[]>
  /** Credits an invoice that the operator has seen paid. 404, 409 when it is no unpaid invoice. */
  markPaid(id: string, note: string, actor: Actor): Promise<Outcome<OrderRow, ServiceError>>
  /** Pays back (or notes that the operator paid back) a part of the price, or all that is left. 404, 400, 409, 503. */
  refund(id: string, amountMinor: number | undefined, actor: Actor): Promise<Outcome<OrderRow, ServiceError>>
}

export type OrdersParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly audit: Pick<Audit, 'entry'>
  readonly settle: SettleOrder
  readonly processors: PaymentProcessors
}

const NOT_FOUND = refusals.notFound('No such order')
const UNPAID: readonly OrderState[] = ['created', 'awaiting_payment', 'expired', 'failed']

export function createOrders(parts: OrdersParts): Orders {
  const { storage, processors, settle } = parts

  function audited(order: OrderRow, action: string, actor: Actor, after: unknown): Statement {
    const target = { type: 'order', id: order.id }
    return parts.audit.entry({ actor, action, target, before: toAuditedOrder(order), after })
  }

  async function refundAtProcessor(
    order: OrderRow,
    amountMinor: number,
  ): Promise<Outcome<PaymentStanding, ServiceError>> {
    const refund = processors.get(order.processor)?.refund
    if (!refund) return accepted(standingOf(order, order.refunded_minor + amountMinor))
    try {
      return accepted(await refund(order, amountMinor))
    } catch (error) {
      if (!(error instanceof PaymentProcessorFailed)) throw error
      return refused(refusals.unavailable(`The payment processor refused: ${error.message}`, 10))
    }
  }

  return {
    place: request => placeOrder(parts, request),
    find: async id => (await findOrder(storage, id)) ?? null,
    list: (accountId, page) => listOrders(storage, accountId, page),
    listOffered: async () => {
      const offered: ProcessorName[] = []
      for (const processor of processors.values())
        if (await processor.isOffered()) offered.push(processor.name)
      return offered
    },
    markPaid: async (id, note, actor) => {
      const order = await findOrder(storage, id)
      if (!order) return refused(NOT_FOUND)
      if (order.processor !== 'invoice') {
        return refused(refusals.conflict(`${order.processor} itself says when this order is paid`))
      }
      if (!UNPAID.includes(order.state)) return refused(refusals.conflict('This order was paid already'))
      const also = [audited(order, 'order.mark_paid', actor, { note })]
      const settled = await settle(id, standingOf(order, 0), { also, note })
      return settled ? accepted(settled) : refused(NOT_FOUND)
    },
    refund: async (id, amountMinor, actor) => {
      const order = await findOrder(storage, id)
      if (!order) return refused(NOT_FOUND)
      const left = order.price_minor - order.refunded_minor
      if (order.state !== 'paid' || left === 0)
        return refused(refusals.conflict('Nothing of this order can be paid back'))
      const amount = amountMinor ?? left
      if (amount > left) return refused(refusals.invalid(`amount: only ${left} of it are left to pay back`))
      const standing = await refundAtProcessor(order, amount)
      if (!standing.ok) return standing
      const also = [audited(order, 'order.refund', actor, { amount, currency: order.currency })]
      const settled = await settle(id, standing.value, { also })
      return settled ? accepted(settled) : refused(NOT_FOUND)
    },
  }
}

/** How a payment stands that only the operator knows of: received whole, and so much of it paid back. */
function standingOf(order: OrderRow, refundedMinor: number): PaymentStanding {
  return {
    received: { amountMinor: order.price_minor, currency: order.currency },
    refundedMinor,
    isDisputed: false,
    ended: null,
    paymentReference: order.payment_reference,
    savedMethod: null,
  }
}

function listOrders({ db }: Storage, accountId: string, page: PageRequest): Promise<Page<OrderRow>> {
  return readNewest(db.selectFrom('orders').selectAll().where('account_id', '=', accountId), page)
}
