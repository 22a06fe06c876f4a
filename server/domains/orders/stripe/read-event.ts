import type Stripe from 'stripe'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { idOf } from './read-standing.ts'
import { callStripe, type GetStripe } from './stripe-client.ts'

/** Which payment an event is about. What happened to it is never taken from the event: that is asked of Stripe. */
export type EventSubject = {
  readonly orderId: string | null
  readonly checkoutReference: string | null
  readonly paymentReference: string | null
}

export type SignedDelivery = {
  /** The very bytes that came: the signature is over them. */
  readonly body: Buffer
  readonly signature: string | undefined
}

/**
 * Checks a delivery's signature and age (five minutes, by the library) and says what it is about; null for a kind of
 * event that concerns no payment. 400 when it is not Stripe's.
 */
export async function readEvent(
  getStripe: GetStripe,
  webhookSecret: string,
  { body, signature }: SignedDelivery,
): Promise<Outcome<EventSubject | null, ServiceError>> {
  const stripe = await getStripe()
  let event: Stripe.Event
  try {
    event = stripe.webhooks.constructEvent(body, signature ?? '', webhookSecret)
  } catch {
    return refused(refusals.invalid('stripe-signature: does not fit this request'))
  }
  const { object } = event.data
  switch (object.object) {
    case 'checkout.session':
      return accepted({
        orderId: object.client_reference_id,
        checkoutReference: object.id,
        paymentReference: idOf(object.payment_intent),
      })
    case 'payment_intent':
      return accepted({
        orderId: object.metadata.order_id ?? null,
        checkoutReference: null,
        paymentReference: object.id,
      })
    case 'charge':
    case 'refund':
    case 'dispute':
      return accepted(await findSubject(getStripe, idOf(object.payment_intent)))
    default:
      return accepted(null)
  }
}

/** A refund or a dispute does not name the order, its payment does. */
async function findSubject(
  getStripe: GetStripe,
  paymentReference: string | null,
): Promise<EventSubject | null> {
  if (paymentReference === null) return null
  const intent = await callStripe(getStripe, stripe => stripe.paymentIntents.retrieve(paymentReference))
  return { orderId: intent.metadata.order_id ?? null, checkoutReference: null, paymentReference }
}
