/** What an order's payment means for its credits: pure arithmetic, so that it can be read and tested as a table. */
import type { OrderState } from '#contract/orders.ts'
import { type Micros, micros, ZERO_MICROS } from '#lib/money.ts'
import type { OrderRow } from '#storage/sales-tables.ts'
import type { PaymentStanding } from './payment-processor.ts'

/** Where an order should stand, by what its processor says. */
export type OrderTarget = {
  readonly state: OrderState
  /** Whether its credits belong on the ledger. */
  readonly isCredited: boolean
  readonly refundedMinor: number
  /** Of the credits sold, what refunds and disputes take back. */
  readonly takenBackMicros: Micros
  readonly problem: string | null
}

/** Where the order should stand. Money that was credited once stays on record, whatever a processor forgets later. */
export function findTarget(order: OrderRow, standing: PaymentStanding): OrderTarget {
  const { received } = standing
  if (received === null && order.paid_at === null) return unpaidTarget(order, standing)
  const mismatch = received === null ? null : findMismatch(order, received)
  if (mismatch !== null && order.paid_at === null) {
    return { ...unpaidTarget(order, standing), state: 'failed', problem: mismatch }
  }
  const refundedMinor = Math.min(standing.refundedMinor, order.price_minor)
  return {
    state: paidState(order, refundedMinor, standing.isDisputed),
    isCredited: true,
    refundedMinor,
    takenBackMicros: standing.isDisputed ? order.credits_micros : creditsRefunded(order, refundedMinor),
    problem: null,
  }
}

function unpaidTarget(order: OrderRow, { ended }: PaymentStanding): OrderTarget {
  return {
    state:
      ended && (order.state === 'created' || order.state === 'awaiting_payment') ? ended.state : order.state,
    isCredited: false,
    refundedMinor: 0,
    takenBackMicros: ZERO_MICROS,
    problem: ended?.problem ?? order.problem,
  }
}

function paidState(order: OrderRow, refundedMinor: number, isDisputed: boolean): OrderState {
  if (isDisputed) return 'disputed'
  return refundedMinor === order.price_minor ? 'refunded' : 'paid'
}

/** The share of the credits that belongs to what was paid back, rounded down; all of them when all was. */
function creditsRefunded(
  { credits_micros, price_minor }: Pick<OrderRow, 'credits_micros' | 'price_minor'>,
  refundedMinor: number,
): Micros {
  return micros((credits_micros * BigInt(refundedMinor)) / BigInt(price_minor))
}

function findMismatch(
  order: OrderRow,
  { amountMinor, currency }: { readonly amountMinor: number; readonly currency: string },
): string | null {
  if (amountMinor === order.price_minor && currency.toUpperCase() === order.currency) return null
  return `Received ${amountMinor} ${currency.toUpperCase()} where ${order.price_minor} ${order.currency} (minor units) was due`
}
