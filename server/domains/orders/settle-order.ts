import type { Ledger } from '#domains/billing/ledger.ts'
import type { Clock } from '#lib/clock.ts'
import { type Micros, micros, ZERO_MICROS } from '#lib/money.ts'
import type { OrderRow } from '#storage/sales-tables.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import { findTarget, type OrderTarget } from './order-books.ts'
import type { PaymentStanding } from './payment-processor.ts'

/** How often a settlement may find that another one was faster. */
const ATTEMPTS = 50

export type SettleOptions = {
  /** Rows that belong to the first change, such as an audit entry. */
  readonly also?: readonly Statement[]
  readonly note?: string
}

/**
 * The one place that turns a payment into credits, and takes credits back. It brings the order to where the standing
 * says it should be, one posting a step; each step holds only if the order is still as it was read, so that twenty
 * messages at once, in any order, or a process that is killed half-way, end in the same books.
 */
export type SettleOrder = (
  orderId: string,
  standing: PaymentStanding,
  options?: SettleOptions,
) => Promise<OrderRow | null>

export type SettleOrderParts = {
  readonly storage: Storage
  readonly ledger: Pick<Ledger, 'change'>
  readonly clock: Clock
}

export function createSettleOrder(parts: SettleOrderParts): SettleOrder {
  return async (orderId, standing, { also = [], note } = {}) => {
    let further = also
    for (let count = 0; count < ATTEMPTS; count++) {
      const order = await findOrder(parts.storage, orderId)
      if (!order) return null
      const step = nextStep(order, findTarget(order, standing), standing, parts.clock.now())
      if (!step) return order
      const changed = note === undefined ? step : { ...step, columns: { ...step.columns, note } }
      if (await take(parts, order, changed, further)) further = []
    }
    throw new Error(`The order ${orderId} is being settled by others all the time`)
  }
}

export async function findOrder({ db }: Pick<Storage, 'db'>, id: string): Promise<OrderRow | undefined> {
  return await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
}

type Step = {
  readonly columns: Partial<OrderRow>
  readonly entry: null | {
    readonly kind: 'purchase' | 'refund' | 'adjustment'
    readonly amountMicros: Micros
    readonly note: string
  }
}

/** Credits first, then what is taken back: the ledger shows both, even when they arrive together. */
function nextStep(
  order: OrderRow,
  target: OrderTarget,
  { paymentReference }: PaymentStanding,
  now: number,
): Step | null {
  const reference = paymentReference ?? order.payment_reference
  if (target.isCredited && order.paid_at === null) {
    return {
      columns: { state: 'paid', paid_at: now, problem: null, payment_reference: reference },
      entry: { kind: 'purchase', amountMicros: order.credits_micros, note: order.package_name },
    }
  }
  const columns = {
    state: target.state,
    refunded_minor: target.refundedMinor,
    taken_back_micros: target.takenBackMicros,
    problem: target.problem,
    payment_reference: reference,
  }
  // The columns are the order's own, so what differs can be compared name by name.
  const isThere = Object.entries(columns).every(([name, value]) => order[name as keyof OrderRow] === value)
  return isThere ? null : { columns, entry: entryFor(order, target) }
}

function entryFor(order: OrderRow, { takenBackMicros, state }: OrderTarget): Step['entry'] {
  const more = takenBackMicros - order.taken_back_micros
  if (more === 0n) return null
  if (more < 0n)
    return { kind: 'adjustment', amountMicros: micros(-more), note: 'Dispute ended: credits are back' }
  return {
    kind: 'refund',
    amountMicros: micros(ZERO_MICROS - more),
    note: state === 'disputed' ? 'Payment disputed' : 'Payment refunded',
  }
}

/** Takes one step; false when the order was changed by another one meanwhile. */
async function take(
  { storage, ledger }: SettleOrderParts,
  order: OrderRow,
  { columns, entry }: Step,
  further: readonly Statement[],
): Promise<boolean> {
  const move: Statement = {
    query: storage.db
      .updateTable('orders')
      .set(columns)
      .where('id', '=', order.id)
      .where('state', '=', order.state)
      .where('taken_back_micros', '=', order.taken_back_micros)
      .where('refunded_minor', '=', order.refunded_minor)
      .where('paid_at', order.paid_at === null ? 'is' : '=', order.paid_at),
    expectRows: 1,
  }
  if (entry === null) {
    const outcome = await storage.commit([move, ...further])
    return outcome.kind === 'committed'
  }
  const outcome = await ledger.change({
    accountId: order.account_id,
    ...entry,
    orderId: order.id,
    also: [move, ...further],
  })
  if (outcome.kind === 'no-account') throw new Error(`The account of order ${order.id} is missing`)
  return outcome.kind === 'posted'
}
