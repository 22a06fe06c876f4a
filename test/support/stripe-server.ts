/** A server on this machine that speaks as much of Stripe's API as is used, and signs events as Stripe does. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import type { StripeAccess } from '#domains/orders/stripe/stripe-client.ts'

type Charge = { id: string; object: 'charge'; amount_refunded: number; disputed: boolean }
export type Intent = {
  id: string
  object: 'payment_intent'
  status: string
  amount: number
  amount_received: number
  currency: string
  customer: string | null
  payment_method: unknown
  setup_future_usage: string | null
  metadata: Record<string, string>
  last_payment_error: { message: string } | null
  latest_charge: Charge | null
}
export type Session = {
  id: string
  object: 'checkout.session'
  url: string
  status: 'open' | 'complete' | 'expired'
  expires_at: number
  client_reference_id: string
  payment_intent: Intent | null
  /** What the payment begins with; not shown. */
  asked: {
    amount: number
    currency: string
    saves: boolean
    metadata: Record<string, string>
    successUrl: string
    cancelUrl: string
  }
}

const CARD = { id: 'pm_1', object: 'payment_method', type: 'card', card: { brand: 'visa', last4: '4242' } }

export type StripeServer = Awaited<ReturnType<typeof startStripeServer>>

export async function startStripeServer() {
  const sessions = new Map<string, Session>()
  const intents = new Map<string, Intent>()
  const disputes: { id: string; object: 'dispute'; payment_intent: string; status: string }[] = []
  const answered = new Map<string, unknown>()
  const calls: string[] = []
  let isBroken = false
  let losesAnswers = false
  let declines = false
  let hold: { readonly onAsked: () => void; readonly released: Promise<void> } | null = null

  const id = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`
  const makeIntent = (given: Partial<Intent>): Intent => {
    const intent: Intent = {
      id: id('pi'),
      object: 'payment_intent',
      status: 'succeeded',
      amount: 0,
      amount_received: 0,
      currency: 'eur',
      customer: null,
      payment_method: CARD,
      setup_future_usage: null,
      metadata: {},
      last_payment_error: null,
      latest_charge: { id: id('ch'), object: 'charge', amount_refunded: 0, disputed: false },
      ...given,
    }
    intents.set(intent.id, intent)
    return intent
  }

  function answer(method: string, path: string, form: URLSearchParams): { status?: number; body: unknown } {
    const [, , kind = '', ...rest] = path.split('/')
    const name = rest.at(-1) ?? ''
    switch (`${method} ${kind}`) {
      case 'POST checkout': {
        const session: Session = {
          id: id('cs'),
          object: 'checkout.session',
          url: `${address()}/pay/${id('pay')}`,
          status: 'open',
          expires_at: Math.floor(Date.now() / 1000) + 86_400,
          client_reference_id: form.get('client_reference_id') ?? '',
          payment_intent: null,
          asked: {
            amount: Number(form.get('line_items[0][price_data][unit_amount]')),
            currency: form.get('line_items[0][price_data][currency]') ?? '',
            saves: form.get('payment_intent_data[setup_future_usage]') === 'off_session',
            metadata: { order_id: form.get('payment_intent_data[metadata][order_id]') ?? '' },
            successUrl: form.get('success_url') ?? '',
            cancelUrl: form.get('cancel_url') ?? '',
          },
        }
        sessions.set(session.id, session)
        return { body: session }
      }
      case 'GET checkout':
        return { body: sessions.get(name) }
      case 'GET payment_intents': {
        if (name !== '') return { body: intents.get(name) }
        return { body: { object: 'list', has_more: false, data: [...intents.values()].reverse() } }
      }
      case 'POST payment_intents': {
        const given = {
          amount: Number(form.get('amount')),
          currency: form.get('currency') ?? '',
          customer: form.get('customer'),
          metadata: { order_id: form.get('metadata[order_id]') ?? '' },
        }
        if (!declines) return { body: makeIntent({ ...given, amount_received: given.amount }) }
        const problem = { message: 'Your card was declined.' }
        const intent = makeIntent({
          ...given,
          status: 'requires_payment_method',
          last_payment_error: problem,
          latest_charge: null,
        })
        return {
          status: 402,
          body: { error: { type: 'card_error', code: 'card_declined', ...problem, payment_intent: intent } },
        }
      }
      case 'POST refunds': {
        const intent = intents.get(form.get('payment_intent') ?? '')
        if (intent?.latest_charge) intent.latest_charge.amount_refunded += Number(form.get('amount'))
        return { body: { id: id('re'), object: 'refund', payment_intent: intent?.id, status: 'succeeded' } }
      }
      case 'GET disputes':
        return {
          body: {
            object: 'list',
            has_more: false,
            data: disputes.filter(dispute => dispute.payment_intent === form.get('payment_intent')),
          },
        }
    }
    return { body: undefined }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    let text = ''
    for await (const piece of request) text += String(piece)
    const method = request.method ?? ''
    if (!url.pathname.startsWith('/v1/')) return showPaymentPage(method, url.pathname, response)
    calls.push(`${method} ${url.pathname}`)
    if (method === 'GET' && hold) {
      hold.onAsked()
      await hold.released
    }
    const fault = isBroken
      ? { status: 500, body: { error: { type: 'api_error', message: 'out of order' } } }
      : null
    const key = request.headers['idempotency-key']
    const replayed = method === 'POST' && typeof key === 'string' ? answered.get(key) : undefined
    const made = fault ??
      (replayed ? { body: replayed } : null) ??
      answer(method, url.pathname, method === 'GET' ? url.searchParams : new URLSearchParams(text)) ?? {
        body: undefined,
      }
    const status = made.body === undefined ? 404 : (('status' in made ? made.status : undefined) ?? 200)
    if (status === 200 && method === 'POST' && typeof key === 'string') answered.set(key, made.body)
    if (losesAnswers) return void response.destroy()
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': id('req') })
    response.end(
      JSON.stringify(made.body ?? { error: { type: 'invalid_request_error', message: 'No such object' } }),
    )
  }

  /** What buyers see: a page that takes the payment and leads back, as fast as its message may be slow. */
  function showPaymentPage(method: string, path: string, response: ServerResponse): void {
    const session = [...sessions.values()].find(({ url }) => new URL(url).pathname === path)
    if (!session) {
      response.writeHead(204).end()
      return
    }
    const { amount, currency, successUrl, cancelUrl } = session.asked
    if (method === 'POST') {
      pay(session.client_reference_id)
      response.writeHead(303, { location: successUrl }).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html lang="en"><title>Payment</title><h1>Pay ${amount} ${currency}</h1>
<form method="post"><button>Pay</button></form><a href="${cancelUrl}">Back</a></html>`)
  }

  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const access = {
    secretKey: 'sk_test_local',
    webhookSecret: 'whsec_local',
    apiUrl: address(),
  } satisfies StripeAccess

  function address(): string {
    const { port } = server.address() as AddressInfo // a server that listens on a port has one
    return `http://127.0.0.1:${port}`
  }

  function sessionOf(orderId: string): Session {
    const session = [...sessions.values()].find(each => each.client_reference_id === orderId)
    if (!session) throw new Error(`No checkout for ${orderId}`)
    return session
  }

  function pay(orderId: string, { amount, currency }: { amount?: number; currency?: string } = {}): Session {
    const session = sessionOf(orderId)
    const { asked } = session
    session.status = 'complete'
    session.payment_intent = makeIntent({
      amount: amount ?? asked.amount,
      amount_received: amount ?? asked.amount,
      currency: currency ?? asked.currency,
      customer: asked.saves ? 'cus_1' : null,
      setup_future_usage: asked.saves ? 'off_session' : null,
      metadata: asked.metadata,
    })
    return session
  }

  return {
    access,
    calls,
    sessionOf,
    /** Whether every call fails from now on. */
    breakDown(on: boolean): void {
      isBroken = on
    },
    /** Whether everything is done from now on, and nobody hears of it. */
    loseAnswers(on: boolean): void {
      losesAnswers = on
    },
    /** Which requests were made before is remembered for a day. */
    forgetIdempotencyKeys(): void {
      answered.clear()
    },
    /** From now on whoever asks how a payment stands has to wait. `asked`: somebody does. */
    holdAnswers(): { readonly asked: Promise<void>; release(): void } {
      const asked = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      hold = { onAsked: asked.resolve, released: released.promise }
      return {
        asked: asked.promise,
        release: () => {
          hold = null
          released.resolve()
        },
      }
    },
    /** Whether saved cards are declined from now on. */
    decline(on: boolean): void {
      declines = on
    },
    /** The buyer pays on the page; says nothing to the service. */
    pay,
    expire(orderId: string): Session {
      const session = sessionOf(orderId)
      session.status = 'expired'
      return session
    },
    refund(intent: Intent, amount: number): void {
      if (intent.latest_charge) intent.latest_charge.amount_refunded += amount
    },
    dispute(intent: Intent, status: string): (typeof disputes)[number] {
      if (intent.latest_charge) intent.latest_charge.disputed = true
      const known = disputes.find(each => each.payment_intent === intent.id)
      if (known) {
        known.status = status
        return known
      }
      const made = { id: id('dp'), object: 'dispute' as const, payment_intent: intent.id, status }
      disputes.push(made)
      return made
    },
    /** An event as Stripe delivers it: the body, and the header that signs it. */
    signed(
      type: string,
      object: unknown,
      { secret = access.webhookSecret, timestamp = Math.floor(Date.now() / 1000) } = {},
    ): { body: string; signature: string } {
      const body = JSON.stringify({ id: id('evt'), object: 'event', type, data: { object } })
      const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
      return { body, signature }
    },
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
