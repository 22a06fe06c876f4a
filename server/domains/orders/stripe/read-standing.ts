/** What Stripe's objects say about a payment. Field by field after https://docs.stripe.com/api (2026-11). */
import type Stripe from 'stripe'
import type { PaymentStanding } from '#domains/orders/payment-processor.ts'

/** Disputes that took the money, or hold it. An inquiry (`warning_…`) has not, a won or prevented one gives it back. */
const HOLDING_DISPUTES = new Set([
  'needs_response',
  'under_review',
  'appeal_needs_response',
  'appeal_under_review',
  'lost',
])

export type StripePayment = {
  /** null for a payment without a page, such as an automatic top-up. */
  readonly session: Stripe.Checkout.Session | null
  /** With its `latest_charge` and `payment_method` expanded; null while nobody tried to pay. */
  readonly intent: Stripe.PaymentIntent | null
  readonly disputes: readonly Stripe.Dispute[]
}

export function readStanding({ session, intent, disputes }: StripePayment): PaymentStanding {
  const charge = intent && expanded(intent.latest_charge)
  return {
    received:
      intent?.status === 'succeeded'
        ? { amountMinor: intent.amount_received, currency: intent.currency }
        : null,
    refundedMinor: charge?.amount_refunded ?? 0,
    isDisputed: disputes.some(({ status }) => HOLDING_DISPUTES.has(status)),
    ended: readEnding(session, intent),
    paymentReference: intent?.id ?? null,
    savedMethod: readSavedMethod(intent),
  }
}

function readEnding(
  session: Stripe.Checkout.Session | null,
  intent: Stripe.PaymentIntent | null,
): PaymentStanding['ended'] {
  if (session?.status === 'open' || intent?.status === 'succeeded' || intent?.status === 'processing')
    return null
  if (session?.status === 'expired') return { state: 'expired', problem: null }
  if (intent === null) return null
  return { state: 'failed', problem: intent.last_payment_error?.message ?? 'The payment was not completed' }
}

function readSavedMethod(intent: Stripe.PaymentIntent | null): PaymentStanding['savedMethod'] {
  if (intent?.status !== 'succeeded' || intent.setup_future_usage !== 'off_session') return null
  const method = expanded(intent.payment_method)
  const customer = idOf(intent.customer)
  if (method === null || customer === null) return null
  const { card, type } = method
  const label = card ? `${card.brand} ending in ${card.last4}` : type.replaceAll('_', ' ')
  return { customer_reference: customer, method_reference: method.id, label }
}

function expanded<Value extends object>(value: string | Value | null): Value | null {
  return typeof value === 'object' ? value : null
}

/** The id behind a reference, expanded or not. */
export function idOf(value: string | { readonly id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}
