/** A gateway that sells through Stripe and by invoice, and people who buy there. */
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { systemClock } from '#lib/clock.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { type StripeServer, startStripeServer } from '#test/support/stripe-server.ts'

export type Reply = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: replies are read as JSON is, and each test says what it expects
  readonly body: any
}

export type Buyer = {
  readonly accountId: string
  call(method: string, path: string, body?: unknown): Promise<Reply>
}

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

let people = 0

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
    signUp: async () => {
      const response = await fetch(`${gateway.url}/client/sign-up`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          email: `buyer${++people}@example.org`,
          password: 'correct horse battery',
          name: 'A <b>buyer</b>',
        }),
      })
      const cookie = (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
      const me = (await response.json()) as { account: { id: string } }
      return {
        accountId: me.account.id,
        call: async (method, path, body) => {
          const reply = await fetch(`${gateway.url}${path}`, {
            method,
            headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          })
          const text = await reply.text()
          return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : text }
        },
      }
    },
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
