import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '#test/support/test-clock.ts'
import type { Buyer } from './open-account.ts'
import { openShop, type Shop } from './shop.ts'

const HOUR_MS = 3_600_000
const SOLD = 500_000_000n

let clock: ReturnType<typeof createTestClock>
let shop: Shop
let buyer: Buyer
beforeEach(async () => {
  clock = createTestClock()
  shop = await openShop({ clock })
  buyer = await shop.signUp()
})
afterEach(() => shop.close())

const run = () => shop.gateway.app.sales.topUpBuyer.run()
const balance = () => shop.provenBalance(buyer.accountId)
const charges = () => shop.stripe.calls.filter(call => call === 'POST /v1/payment_intents').length

/** Buys once, keeping the card, and then spends nearly all of it. */
async function saveCard() {
  const { body } = await buyer.call('POST', '/client/orders', {
    package_id: shop.packageId,
    save_payment_method: true,
  })
  await shop.deliver('checkout.session.completed', shop.stripe.pay(body.id))
  await spend(490)
}

async function spend(credits: number) {
  const change = { amount: -credits, kind: 'adjustment', note: 'spent' }
  await shop.gateway.admin.call('POST', `/admin/accounts/${buyer.accountId}/credits`, change)
}

const turnOn = (more: object = {}) =>
  buyer.call('PUT', '/client/auto-top-up', {
    enabled: true,
    package_id: shop.packageId,
    threshold: 50,
    monthly_ceiling: 2000,
    ...more,
  })

describe('automatic top-up', () => {
  test('can not be turned on without a saved payment method, nor with a ceiling below the price', async () => {
    expect((await turnOn()).status).toBe(409)
    await saveCard()
    expect(await turnOn({ monthly_ceiling: 999 })).toMatchObject({ status: 400 })
    expect(await turnOn()).toMatchObject({
      status: 200,
      body: { enabled: true, payment_method: 'visa ending in 4242', spent_this_month: 0 },
    })
  })

  test('buys when the balance is below the threshold, one order however many look at once', async () => {
    await saveCard()
    await turnOn()
    const before = charges()
    await Promise.all(Array.from({ length: 10 }, run))
    expect(charges()).toBe(before + 1)
    expect(await balance()).toBe(SOLD + 10_000_000n)
    await run()
    expect(charges()).toBe(before + 1)
    const { body } = await buyer.call('GET', '/client/orders')
    expect(body.data[0]).toMatchObject({ automatic: true, state: 'paid' })
  })

  test('stops at the monthly ceiling, and goes on with the next month', async () => {
    await saveCard()
    await turnOn()
    for (let count = 0; count < 3; count++) {
      await run()
      await spend(500)
    }
    expect(await balance()).toBe(10_000_000n - SOLD)
    expect((await buyer.call('GET', '/client/auto-top-up')).body.spent_this_month).toBe(2000)
    clock.advance(32 * 24 * HOUR_MS)
    await run()
    expect(await balance()).toBe(10_000_000n)
  })

  test('waits longer after each failure, says why, and begins anew when it is changed', async () => {
    await saveCard()
    await turnOn()
    shop.stripe.decline(true)
    const before = charges()
    for (let count = 0; count < 3; count++) await run()
    expect(charges()).toBe(before + 1)
    const { body } = await buyer.call('GET', '/client/auto-top-up')
    expect(body).toMatchObject({ problem: 'Your card was declined.', spent_this_month: 0 })
    clock.advance(HOUR_MS + 1000)
    await run()
    expect(charges()).toBe(before + 2)
    clock.advance(HOUR_MS + 1000)
    await run()
    expect(charges()).toBe(before + 2)
    shop.stripe.decline(false)
    await turnOn()
    await run()
    expect(await balance()).toBe(SOLD + 10_000_000n)
  })

  test('a payment whose answer was lost is asked for again and made once', async () => {
    await saveCard()
    await turnOn()
    shop.stripe.breakDown(true)
    await run()
    shop.stripe.breakDown(false)
    expect(await balance()).toBe(10_000_000n)
    const before = charges()
    clock.advance(61_000)
    await run()
    await run()
    expect(charges()).toBe(before + 1)
    expect(await balance()).toBe(SOLD + 10_000_000n)
  })

  /** As long as the processor can not be understood, an order is made and stays without an answer. */
  async function interrupt(fault: 'breakDown' | 'loseAnswers') {
    await saveCard()
    await turnOn()
    shop.stripe[fault](true)
    await run()
    shop.stripe[fault](false)
    expect(await balance()).toBe(10_000_000n)
  }

  async function stop(how: 'suspend' | 'close') {
    const { admin } = shop.gateway
    const path = `/admin/accounts/${buyer.accountId}`
    if (how === 'suspend') return admin.call('PATCH', path, { status: 'suspended' })
    const { name } = await admin.call<{ name: string }>('GET', path)
    return admin.call('POST', `${path}/close`, { confirm: name })
  }

  const ordersOf = async () =>
    (
      await shop.gateway.admin.call<{ data: { automatic: boolean; state: string; problem: string }[] }>(
        'GET',
        `/admin/orders?account_id=${buyer.accountId}`,
      )
    ).data.filter(({ automatic }) => automatic)

  test.each(['suspend', 'close'] as const)(
    'what was not charged before somebody came to %s the account is not charged any more',
    async how => {
      await interrupt('breakDown')
      await stop(how)
      const before = charges()
      clock.advance(61_000)
      await run()
      expect(charges()).toBe(before)
      expect(await ordersOf()).toMatchObject([
        { state: 'failed', problem: expect.stringContaining('closed') },
      ])
      expect(await balance()).toBe(10_000_000n)
    },
  )

  test('what was charged before an account was closed is paid for, and on its ledger', async () => {
    await interrupt('loseAnswers')
    await stop('close')
    const before = charges()
    clock.advance(61_000)
    await run()
    await run()
    expect(charges()).toBe(before)
    expect(await ordersOf()).toMatchObject([{ state: 'paid' }])
    expect(await balance()).toBe(SOLD + 10_000_000n)
  })

  test('of an account that is closed nothing is decided before the processor has said what was charged', async () => {
    await interrupt('loseAnswers')
    await stop('close')
    clock.advance(61_000)
    shop.stripe.breakDown(true)
    await run()
    expect(await ordersOf()).toMatchObject([{ state: 'created' }])
    shop.stripe.breakDown(false)
    await run()
    expect(await ordersOf()).toMatchObject([{ state: 'paid' }])
  })

  test.each([2, 48])(
    'what was charged is found and credited after %i hours, and not charged again',
    async hours => {
      await interrupt('loseAnswers')
      const before = charges()
      shop.stripe.forgetIdempotencyKeys()
      clock.advance(hours * HOUR_MS)
      await shop.gateway.app.sales.payments.watch()
      await run()
      await run()
      expect(charges()).toBe(before)
      expect(await balance()).toBe(SOLD + 10_000_000n)
    },
  )

  test('what was charged is credited, whatever became of the payment method since', async () => {
    await interrupt('loseAnswers')
    await buyer.call('DELETE', '/client/payment-method')
    clock.advance(61_000)
    await run()
    expect(await ordersOf()).toMatchObject([{ state: 'paid' }])
    expect(await balance()).toBe(SOLD + 10_000_000n)
  })

  test('begins with a suspended account as soon as it is active again', async () => {
    await interrupt('breakDown')
    await stop('suspend')
    clock.advance(61_000)
    await run()
    await shop.gateway.admin.call('PATCH', `/admin/accounts/${buyer.accountId}`, { status: 'active' })
    await run()
    expect(await balance()).toBe(SOLD + 10_000_000n)
  })

  test('forgetting the payment method ends it', async () => {
    await saveCard()
    await turnOn()
    expect((await buyer.call('DELETE', '/client/payment-method')).status).toBe(204)
    const before = charges()
    await run()
    expect(charges()).toBe(before)
    expect((await buyer.call('GET', '/client/auto-top-up')).body).toMatchObject({
      enabled: false,
      payment_method: null,
    })
  })
})
