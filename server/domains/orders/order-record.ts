import type { AdminOrderRecord, OrderRecord, PaymentStep } from '#contract/orders.ts'
import { rfc3339 } from '#lib/clock.ts'
import { creditsFromMicros } from '#lib/money.ts'
import type { OrderRow } from '#storage/sales-tables.ts'

/** An order as its buyer sees it. */
export function toOrderRecord(row: OrderRow): OrderRecord {
  return {
    id: row.id,
    object: 'order',
    package: { id: row.package_id, name: row.package_name },
    credits: creditsFromMicros(row.credits_micros),
    price: { amount: row.price_minor, currency: row.currency },
    processor: row.processor,
    state: row.state,
    automatic: row.automatic === 1,
    payment: row.state === 'awaiting_payment' ? readStep(row.payment_step_json) : null,
    refunded: { amount: row.refunded_minor, currency: row.currency },
    credits_taken_back: creditsFromMicros(row.taken_back_micros),
    problem: row.problem,
    created_at: rfc3339(row.created_at),
    expires_at: row.expires_at === null ? null : rfc3339(row.expires_at),
    paid_at: row.paid_at === null ? null : rfc3339(row.paid_at),
  }
}

/** An order as the audit log keeps it. */
export function toAuditedOrder(row: OrderRow): Omit<AdminOrderRecord, 'account'> {
  return {
    ...toOrderRecord(row),
    // What the buyer does to pay is not for others: the page may show who they are.
    payment: null,
    account_id: row.account_id,
    user_id: row.user_id,
    payment_reference: row.payment_reference,
    note: row.note,
  }
}

function readStep(json: string | null): PaymentStep | null {
  // Written by `orders.ts` alone, from a value of this type.
  return json === null ? null : (JSON.parse(json) as PaymentStep)
}
