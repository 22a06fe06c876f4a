/** The part of the composition root that builds buying and selling: orders, payments, top-ups, codes, ending credits. */
import type { Audit } from '#domains/audit/audit.ts'
import type { ExpiringCredits } from '#domains/billing/expiring-credits.ts'
import type { Ledger } from '#domains/billing/ledger.ts'
import type { AttemptCounter } from '#domains/identity/attempt-counter.ts'
import { createAutoTopUps } from '#domains/orders/auto-top-up.ts'
import { createInvoiceProcessor } from '#domains/orders/invoice-processor.ts'
import { createOrderSearch } from '#domains/orders/order-search.ts'
import { createOrders } from '#domains/orders/orders.ts'
import type { PaymentProcessor, PaymentProcessors } from '#domains/orders/payment-processor.ts'
import { createPayments } from '#domains/orders/payments.ts'
import { createSettleOrder } from '#domains/orders/settle-order.ts'
import { readEvent } from '#domains/orders/stripe/read-event.ts'
import { createStripeClient, type StripeAccess } from '#domains/orders/stripe/stripe-client.ts'
import { createStripeProcessor } from '#domains/orders/stripe/stripe-processor.ts'
import { createTopUpBuyer } from '#domains/orders/top-up-buyer.ts'
import { createPromoCodes } from '#domains/promo-codes/promo-codes.ts'
import { createRedeem } from '#domains/promo-codes/redeem.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import type { Log } from '#telemetry/log.ts'

export type SalesParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly audit: Audit
  readonly ledger: Ledger
  readonly settings: SettingsRegister
  readonly attempts: AttemptCounter
  readonly expiringCredits: ExpiringCredits
  readonly log: Log
  /** null: nothing is sold through Stripe. */
  readonly stripe: StripeAccess | null
}

export type Sales = ReturnType<typeof createSales>

export function createSales(parts: SalesParts) {
  const { stripe } = parts
  const getStripe = stripe && createStripeClient(stripe)
  const offered: PaymentProcessor[] = [
    ...(getStripe ? [createStripeProcessor(getStripe)] : []),
    createInvoiceProcessor(parts),
  ]
  const processors: PaymentProcessors = new Map(offered.map(processor => [processor.name, processor]))
  const settle = createSettleOrder(parts)
  const payments = createPayments({
    ...parts,
    settle,
    processors,
    readDelivery: async delivery =>
      stripe && getStripe ? readEvent(getStripe, stripe.webhookSecret, delivery) : accepted(null),
  })
  return {
    orders: createOrders({ ...parts, settle, processors }),
    orderSearch: createOrderSearch(parts),
    payments,
    /** null: messages of Stripe can't be believed, for want of a secret. */
    stripePayments: stripe && payments,
    autoTopUps: createAutoTopUps(parts),
    topUpBuyer: createTopUpBuyer({ ...parts, processors, payments }),
    promoCodes: createPromoCodes(parts),
    redeemPromoCode: createRedeem(parts),
  }
}
