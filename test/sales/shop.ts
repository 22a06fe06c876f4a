/** A gateway that sells through Stripe and by invoice, and people who buy there. */
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { systemClock } from '#lib/clock.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { type StripeServer, startStripeServer } from '#test/support/stripe-server.ts'
import { type Buyer, openAccount } from './open-account.ts'

export type Shop = {
  readonly gateway: TestGateway
  readonly stripe: StripeServer
  readonly packageId: string
  signUp(): Promise<Buyer>
  /** Delivers an event as Stripe would. */
  deliver(type: string, object: unknown, signing?: { secret?: string; timestamp?: number }): Promise<number>
  post(body: string, signature: string | null): Promise<{ status: number; text: string }>
  /** Fails unless ledger, balances and orders add up; gives the account's balance in micro-credits. */
  provenBalance(accountId: string): Promise<bigint>
  close(): Promise<void>
}

/** 500 credits for 10.00 EUR. */
export async function openShop({ sellsByStripe = true, clock = systemClock } = {}): Promise<Shop> {
  const stripe = await startStripeServer()
  const gateway = await startGateway({ stripe: sellsByStripe ? stripe.access : null, clock })
  const { id: packageId } = await gateway.admin.call<{ id: string }>('POST', '/admin/packages', {
    name: 'Five hundred',
    credits: 500,
    price: { amount: 1000, currency: 'EUR' },
  })

  async function post(body: string, signature: string | null) {
    const response = await fetch(`${gateway.url}/webhooks/stripe`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(signature === null ? {} : { 'stripe-signature': signature }),
      },
      body,
    })
    return { status: response.status, text: await response.text() }
  }

  return {
    gateway,
    stripe,
    packageId,
    post,
    deliver: async (type, object, signing) => {
      const { body, signature } = stripe.signed(type, object, signing)
      return (await post(body, signature)).status
    },
    signUp: () => openAccount(() => gateway.url),
    provenBalance: async accountId => {
      const books = await gateway.app.storage.snapshot(verifyLedger)
      if (!books.ok) throw new Error(books.refusal)
      return gateway.balanceOf(accountId)
    },
    close: async () => {
      await gateway.close()
      await stripe.close()
    },
  }
}
