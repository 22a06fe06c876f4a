import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import type { Buyer } from './open-account.ts'
import { openShop, type Shop } from './shop.ts'

const SOLD = 500_000_000n

let shop: Shop
let buyer: Buyer
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  buyer = await shop.signUp()
})

async function place(options: object = {}) {
  const { status, body } = await buyer.call('POST', '/client/orders', {
    package_id: shop.packageId,
    ...options,
  })
  expect(status).toBe(201)
  return body
}

const orderOf = async (id: string) => (await buyer.call('GET', `/client/orders/${id}`)).body
const balance = () => shop.provenBalance(buyer.accountId)

async function buy() {
  const order = await place()
  const session = shop.stripe.pay(order.id)
  expect(await shop.deliver('checkout.session.completed', session)).toBe(200)
  const { payment_intent: intent } = session
  if (!intent) throw new Error('paying makes a payment')
  return { id: order.id as string, intent }
}

describe('buying a package through Stripe', () => {
  test('an order leads to the page where it is paid, and is credited when Stripe says that it was', async () => {
    const order = await place()
    expect(order).toMatchObject({
      object: 'order',
      state: 'awaiting_payment',
      package: { id: shop.packageId, name: 'Five hundred' },
      credits: 500,
      price: { amount: 1000, currency: 'EUR' },
      processor: 'stripe',
      payment: { kind: 'redirect', url: shop.stripe.sessionOf(order.id).url },
      paid_at: null,
    })
    expect(await balance()).toBe(0n)
    const session = shop.stripe.pay(order.id)
    expect(await shop.deliver('checkout.session.completed', session)).toBe(200)
    expect(await balance()).toBe(SOLD)
    expect(await orderOf(order.id)).toMatchObject({
      state: 'paid',
      payment: null,
      paid_at: expect.any(String),
    })
    const { body: ledger } = await buyer.call('GET', '/client/ledger')
    expect(ledger.data).toMatchObject([{ kind: 'purchase', amount: 500, order_id: order.id }])
  })

  test('looking at the order, as the page that a buyer comes back to does, never credits', async () => {
    const order = await place()
    shop.stripe.pay(order.id)
    for (let count = 0; count < 5; count++) await orderOf(order.id)
    await fetch(`${shop.gateway.url}/portal/credits/orders/${order.id}`)
    expect(await balance()).toBe(0n)
  })

  test('one event delivered 20 times at once credits once', async () => {
    const order = await place()
    const { body, signature } = shop.stripe.signed('checkout.session.completed', shop.stripe.pay(order.id))
    const replies = await Promise.all(Array.from({ length: 20 }, () => shop.post(body, signature)))
    expect(replies.map(reply => reply.status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await balance()).toBe(SOLD)
  })

  test('a payment whose message was lost is found by asking', async () => {
    const order = await place()
    shop.stripe.pay(order.id)
    await shop.gateway.app.sales.payments.watch()
    expect(await balance()).toBe(SOLD)
    await shop.gateway.app.sales.payments.watch()
    expect(await balance()).toBe(SOLD)
  })

  test('a refund whose event comes before the payment ends in the same books', async () => {
    const order = await place()
    const session = shop.stripe.pay(order.id)
    const { payment_intent: intent } = session
    if (!intent) throw new Error('paying makes a payment')
    shop.stripe.refund(intent, 1000)
    const charge = { ...intent.latest_charge, payment_intent: intent.id }
    expect(await shop.deliver('charge.refunded', charge)).toBe(200)
    expect(await shop.deliver('checkout.session.completed', session)).toBe(200)
    expect(await balance()).toBe(0n)
    expect(await orderOf(order.id)).toMatchObject({ state: 'refunded', credits_taken_back: 500 })
  })

  test.each([
    ['amount', { amount: 1 }],
    ['amount above the price', { amount: 100_000 }],
    ['currency', { currency: 'jpy' }],
  ])('a payment of the wrong %s credits nothing and says why', async (_what, paid) => {
    const order = await place()
    expect(await shop.deliver('checkout.session.completed', shop.stripe.pay(order.id, paid))).toBe(200)
    expect(await balance()).toBe(0n)
    expect(await orderOf(order.id)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('was due'),
    })
  })

  test('an event that names the order of another account credits neither', async () => {
    const mine = await place()
    const other = await shop.signUp()
    const theirs = (await other.call('POST', '/client/orders', { package_id: shop.packageId })).body
    const session = shop.stripe.pay(mine.id)
    const forged = { ...session, client_reference_id: theirs.id }
    await shop.deliver('checkout.session.completed', forged)
    expect(await shop.provenBalance(other.accountId)).toBe(0n)
    expect((await other.call('GET', `/client/orders/${mine.id}`)).status).toBe(404)
  })

  test('a checkout that expired closes the order, and a payment that still comes is credited', async () => {
    const order = await place()
    await shop.deliver('checkout.session.expired', shop.stripe.expire(order.id))
    expect(await orderOf(order.id)).toMatchObject({ state: 'expired' })
    await shop.deliver('checkout.session.completed', shop.stripe.pay(order.id))
    expect(await orderOf(order.id)).toMatchObject({ state: 'paid' })
    expect(await balance()).toBe(SOLD)
  })

  test('when Stripe does not answer, the order fails with a clear error and nothing is owed', async () => {
    shop.stripe.breakDown(true)
    const { status, body } = await buyer.call('POST', '/client/orders', { package_id: shop.packageId })
    shop.stripe.breakDown(false)
    expect(status).toBe(503)
    expect(body.error.type).toBe('service_unavailable')
    const { body: list } = await buyer.call('GET', '/client/orders')
    expect(list.data).toMatchObject([{ state: 'failed', payment: null }])
  })

  test('when Stripe can not be asked about an event, it is told to send it again', async () => {
    const order = await place()
    const session = shop.stripe.pay(order.id)
    shop.stripe.breakDown(true)
    expect(await shop.deliver('checkout.session.completed', session)).toBe(503)
    shop.stripe.breakDown(false)
    expect(await balance()).toBe(0n)
    expect(await shop.deliver('checkout.session.completed', session)).toBe(200)
    expect(await balance()).toBe(SOLD)
  })

  test('a package that is not on sale, or costs nothing, can not be ordered', async () => {
    const { admin } = shop.gateway
    const make = (body: object) => admin.call<{ id: string }>('POST', '/admin/packages', body)
    const price = { amount: 100, currency: 'EUR' }
    const off = await make({ name: 'Off', credits: 1, price, on_sale: false })
    const free = await make({ name: 'Free', credits: 1, price: { ...price, amount: 0 } })
    for (const { id } of [off, free, { id: 'pkg_none' }]) {
      expect((await buyer.call('POST', '/client/orders', { package_id: id })).status).toBe(404)
    }
  })
})

describe('refunds and disputes', () => {
  test('a part of the price paid back takes back that share of the credits', async () => {
    const { id, intent } = await buy()
    shop.stripe.refund(intent, 333)
    await shop.deliver('charge.refunded', { ...intent.latest_charge, payment_intent: intent.id })
    expect(await orderOf(id)).toMatchObject({
      state: 'paid',
      refunded: { amount: 333 },
      credits_taken_back: 166.5,
    })
    expect(await balance()).toBe(SOLD - 166_500_000n)
  })

  test('an operator pays back at Stripe: the money and the credits agree', async () => {
    const { id, intent } = await buy()
    const { admin } = shop.gateway
    await admin.call('POST', `/admin/orders/${id}/refund`, { amount: 400 })
    expect(intent.latest_charge?.amount_refunded).toBe(400)
    expect(await balance()).toBe(SOLD - 200_000_000n)
    await expect(admin.call('POST', `/admin/orders/${id}/refund`, { amount: 700 })).rejects.toThrow(/400/)
    const whole = await admin.call('POST', `/admin/orders/${id}/refund`)
    expect(whole).toMatchObject({ state: 'refunded', refunded: { amount: 1000 } })
    expect(await balance()).toBe(0n)
    await expect(admin.call('POST', `/admin/orders/${id}/refund`)).rejects.toThrow(/409/)
  })

  test('a refund of credits that were used leaves a debt, and the account is exhausted', async () => {
    const { id } = await buy()
    const { admin } = shop.gateway
    await admin.call('POST', `/admin/accounts/${buyer.accountId}/credits`, {
      amount: -450,
      kind: 'adjustment',
      note: 'used',
    })
    await admin.call('POST', `/admin/orders/${id}/refund`)
    expect(await balance()).toBe(-450_000_000n)
    const { body } = await buyer.call('GET', '/client/me')
    expect(body.account).toMatchObject({ remaining: 0, credit_status: 'exhausted' })
    await buy()
    expect(await balance()).toBe(50_000_000n)
  })

  test('a dispute takes all credits back, and a dispute that is won returns them', async () => {
    const { id, intent } = await buy()
    const opened = shop.stripe.dispute(intent, 'needs_response')
    await shop.deliver('charge.dispute.created', opened)
    expect(await orderOf(id)).toMatchObject({ state: 'disputed', credits_taken_back: 500 })
    expect(await balance()).toBe(0n)
    await shop.deliver('charge.dispute.closed', shop.stripe.dispute(intent, 'won'))
    expect(await orderOf(id)).toMatchObject({ state: 'paid', credits_taken_back: 0 })
    expect(await balance()).toBe(SOLD)
  })

  test('an inquiry takes nothing, a lost dispute keeps everything', async () => {
    const { id, intent } = await buy()
    await shop.deliver('charge.dispute.created', shop.stripe.dispute(intent, 'warning_needs_response'))
    expect(await balance()).toBe(SOLD)
    await shop.deliver('charge.dispute.closed', shop.stripe.dispute(intent, 'lost'))
    expect(await balance()).toBe(0n)
    expect(await orderOf(id)).toMatchObject({ state: 'disputed' })
  })
})

describe('what does not come from Stripe', () => {
  const event = async () => {
    const order = await place()
    return shop.stripe.pay(order.id)
  }

  test('no signature, a foreign secret, an old timestamp or a changed body: refused, and nothing is credited', async () => {
    const session = await event()
    const good = shop.stripe.signed('checkout.session.completed', session)
    const tries = [
      { ...good, signature: null },
      { ...good, signature: '' },
      shop.stripe.signed('checkout.session.completed', session, { secret: 'whsec_other' }),
      shop.stripe.signed('checkout.session.completed', session, {
        timestamp: Math.floor(Date.now() / 1000) - 3600,
      }),
      { ...good, body: good.body.replace('checkout', 'Checkout') },
    ]
    for (const { body, signature } of tries) {
      const reply = await shop.post(body, signature)
      expect(reply.status).toBe(400)
      expect(JSON.parse(reply.text).error.type).toBe('invalid_request_error')
    }
    expect(await balance()).toBe(0n)
  })

  test('without a secret everything is refused', async () => {
    const closed = await openShop({ sellsByStripe: false })
    try {
      const { body, signature } = closed.stripe.signed('checkout.session.completed', {})
      const blank = closed.stripe.signed('checkout.session.completed', {}, { secret: ' ' })
      expect((await closed.post(body, signature)).status).toBe(503)
      expect((await closed.post(blank.body, blank.signature)).status).toBe(503)
      const stranger = await closed.signUp()
      const order = await stranger.call('POST', '/client/orders', { package_id: closed.packageId })
      expect(order.status).toBe(409)
    } finally {
      await closed.close()
    }
  })

  test('a secret that is blank, or missing beside the other, stops the start', () => {
    const secrets = { STRIPE_SECRET_KEY: 'sk_live', STRIPE_WEBHOOK_SECRET: 'whsec_live' }
    expect(readConfig(secrets).stripe).toMatchObject({ secretKey: 'sk_live', webhookSecret: 'whsec_live' })
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
      for (const value of [undefined, '', '  '])
        expect(() => readConfig({ ...secrets, [name]: value })).toThrow(name)
    expect(readConfig({}).stripe).toBeNull()
  })

  test('an event about a sale that is not ours is taken and changes nothing', async () => {
    expect(
      await shop.deliver('checkout.session.completed', { ...(await event()), client_reference_id: null }),
    ).toBe(200)
    expect(await shop.deliver('customer.created', { id: 'cus_9', object: 'customer' })).toBe(200)
    expect(await balance()).toBe(0n)
  })
})
