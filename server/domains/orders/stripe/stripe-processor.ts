import type Stripe from 'stripe'
import {
  type OpenOptions,
  type PaymentProcessor,
  PaymentProcessorFailed,
  type PaymentStanding,
} from '#domains/orders/payment-processor.ts'
import type { OrderRow, PaymentMethodRow } from '#storage/sales-tables.ts'
import { idOf, readStanding } from './read-standing.ts'
import { callStripe, type GetStripe } from './stripe-client.ts'

const INTENT_PARTS = ['latest_charge', 'payment_method']
/** How far the clocks of a node and of Stripe may be apart. */
const CLOCKS_APART_S = 3600
const SESSION_PARTS = ['payment_intent', ...INTENT_PARTS.map(part => `payment_intent.${part}`)]

/** Stripe Checkout: the customer pays on Stripe's page, saved methods are charged without one. */
export function createStripeProcessor(getStripe: GetStripe): PaymentProcessor {
  return {
    name: 'stripe',
    isOffered: async () => true,
    open: (order, options) => callStripe(getStripe, stripe => openCheckout(stripe, order, options)),
    standing: order => callStripe(getStripe, stripe => findStanding(stripe, order)),
    refund: (order, amountMinor) =>
      callStripe(getStripe, async stripe => {
        if (order.payment_reference === null) throw new PaymentProcessorFailed('the payment is not known')
        await stripe.refunds.create(
          { payment_intent: order.payment_reference, amount: amountMinor, metadata: { order_id: order.id } },
          // Asking twice for the same refund at the same standing pays back once.
          { idempotencyKey: `${order.id}-refund-${order.refunded_minor}-${amountMinor}` },
        )
        return findStanding(stripe, order)
      }),
    chargeSaved: (order, method) => callStripe(getStripe, stripe => chargeSaved(stripe, order, method)),
    findSavedCharge: order => callStripe(getStripe, stripe => findSavedCharge(stripe, order)),
  }
}

async function openCheckout(
  stripe: Stripe,
  order: OrderRow,
  { returnUrls, saveMethod, buyerEmail }: OpenOptions,
) {
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: order.id,
      metadata: { order_id: order.id },
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: order.currency.toLowerCase(),
            unit_amount: order.price_minor,
            product_data: { name: order.package_name },
          },
        },
      ],
      payment_intent_data: {
        metadata: { order_id: order.id },
        ...(saveMethod ? { setup_future_usage: 'off_session' } : {}),
      },
      ...(saveMethod ? { customer_creation: 'always' } : {}),
      customer_email: buyerEmail,
      // The price is what the operator set, in the operator's currency, or it could not be compared with the order.
      adaptive_pricing: { enabled: false },
      success_url: returnUrls.paid,
      cancel_url: returnUrls.cancelled,
    },
    { idempotencyKey: order.id },
  )
  if (session.url === null) throw new PaymentProcessorFailed('no address to pay at')
  return {
    step: { kind: 'redirect' as const, url: session.url },
    checkoutReference: session.id,
    expiresAt: session.expires_at * 1000,
  }
}

/** Asks for everything anew, so that it does not matter which message came first, or whether one came at all. */
async function findStanding(stripe: Stripe, order: OrderRow): Promise<PaymentStanding> {
  const session =
    order.checkout_reference === null
      ? null
      : await stripe.checkout.sessions.retrieve(order.checkout_reference, { expand: SESSION_PARTS })
  if (session && session.client_reference_id !== order.id) {
    throw new PaymentProcessorFailed('the checkout belongs to another order')
  }
  const intent = await findIntent(stripe, order, session)
  const charge = intent?.latest_charge
  const isDisputed = typeof charge === 'object' && charge !== null && charge.disputed
  const disputes = isDisputed
    ? await stripe.disputes.list({ payment_intent: intent?.id ?? '', limit: 100 })
    : null
  return readStanding({ session, intent, disputes: disputes?.data ?? [] })
}

async function findIntent(
  stripe: Stripe,
  order: OrderRow,
  session: Stripe.Checkout.Session | null,
): Promise<Stripe.PaymentIntent | null> {
  const given = session?.payment_intent
  if (typeof given === 'object' && given !== null) return given
  const reference = idOf(given) ?? order.payment_reference
  if (reference === null) return null
  const intent = await stripe.paymentIntents.retrieve(reference, { expand: INTENT_PARTS })
  if (intent.metadata.order_id !== order.id) {
    throw new PaymentProcessorFailed('the payment belongs to another order')
  }
  return intent
}

async function chargeSaved(
  stripe: Stripe,
  order: OrderRow,
  { customer_reference, method_reference }: PaymentMethodRow,
): Promise<PaymentStanding> {
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: order.price_minor,
        currency: order.currency.toLowerCase(),
        customer: customer_reference,
        payment_method: method_reference,
        off_session: true,
        confirm: true,
        description: order.package_name,
        metadata: { order_id: order.id },
        expand: INTENT_PARTS,
      },
      // Asked twice at once it is the same payment. Stripe knows keys for a day: after a crash it is asked what there is.
      { idempotencyKey: order.id },
    )
    return readStanding({ session: null, intent, disputes: [] })
  } catch (error) {
    if (
      !(
        error instanceof stripe.errors.StripeCardError ||
        error instanceof stripe.errors.StripeInvalidRequestError
      )
    ) {
      throw error
    }
    // Declined, or the method is gone: final for this order.
    const ended = { state: 'failed' as const, problem: error.message }
    const nothing = { received: null, refundedMinor: 0, isDisputed: false, savedMethod: null }
    return { ...nothing, ended, paymentReference: error.payment_intent?.id ?? null }
  }
}

/**
 * Lists are up to date at once, as searches are not: https://docs.stripe.com/search (2026-11). Those of all customers, since
 * each method is saved with a customer of its own, and may have been replaced or forgotten.
 */
async function findSavedCharge(stripe: Stripe, order: OrderRow): Promise<PaymentStanding | null> {
  const intents = stripe.paymentIntents.list({
    created: { gte: Math.floor(order.created_at / 1000) - CLOCKS_APART_S },
    limit: 100,
    expand: INTENT_PARTS.map(part => `data.${part}`),
  })
  for await (const intent of intents) {
    if (intent.metadata.order_id === order.id) return readStanding({ session: null, intent, disputes: [] })
  }
  return null
}
