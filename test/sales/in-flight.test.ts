/** Buying while requests run, and what a debt does to what was bought. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeModel } from '#test/support/admin-client.ts'
import { askChat } from '#test/support/ask-chat.ts'
import { answerWell, startUpstream, type Upstream } from '#test/support/upstream.ts'
import type { Buyer } from './open-account.ts'
import { openShop, type Shop } from './shop.ts'

const MODEL = 'public/model'
const IN_FLIGHT = 8
const SOLD = 500_000_000n

let shop: Shop
let upstream: Upstream
beforeAll(async () => {
  shop = await openShop()
  upstream = await startUpstream()
  await makeModel(shop.gateway.admin, MODEL, { routes: [{ baseUrl: upstream.baseUrl }] })
})
afterAll(async () => {
  await shop.close()
  await upstream.close()
})

/** Somebody with a key and no more than a trace of credits: enough to be let in, not to pay for one answer. */
async function arriveNearlyBroke() {
  const buyer = await shop.signUp()
  const path = `/admin/accounts/${buyer.accountId}/credits`
  await shop.gateway.admin.call('POST', path, { amount: 0.000001, kind: 'grant', note: '' })
  const { body } = await buyer.call('POST', '/client/keys', { name: 'worker' })
  return { buyer, token: String(body.token) }
}

async function ask(token: string): Promise<number> {
  return (await askChat({ url: shop.gateway.url, token, model: MODEL })).status
}

/** Asks so often at once, and waits until all of it is at the upstream, which answers when it is told to. */
async function askAtOnce(token: string) {
  const release = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  let count = 0
  upstream.respond(async (request, response) => {
    count += 1
    if (count === IN_FLIGHT) arrived.resolve()
    await release.promise
    answerWell(request, response)
  })
  const answers = Promise.all(Array.from({ length: IN_FLIGHT }, () => ask(token)))
  await arrived.promise
  return {
    finish: async () => {
      release.resolve()
      upstream.respond(answerWell)
      return answers
    },
  }
}

async function buy(buyer: Buyer): Promise<void> {
  const { body } = await buyer.call('POST', '/client/orders', { package_id: shop.packageId })
  expect(await shop.deliver('checkout.session.completed', shop.stripe.pay(body.id))).toBe(200)
}

async function spent(buyer: Buyer): Promise<bigint> {
  const { body } = await buyer.call('GET', '/client/ledger?kind=charge&limit=100')
  const amounts: { amount: number }[] = body.data
  return amounts.reduce((sum, { amount }) => sum + BigInt(Math.round(amount * -1_000_000)), 0n)
}

test('a purchase while requests are in flight: all of them are answered, and each is charged on top of it', async () => {
  const { buyer, token } = await arriveNearlyBroke()
  const running = await askAtOnce(token)
  await buy(buyer)
  expect(await shop.provenBalance(buyer.accountId)).toBe(SOLD + 1n)
  expect(await running.finish()).toEqual(Array.from({ length: IN_FLIGHT }, () => 200))
  const charged = await spent(buyer)
  expect(charged).toBeGreaterThan(0n)
  expect(await shop.provenBalance(buyer.accountId)).toBe(SOLD + 1n - charged)
  expect(await ask(token)).toBe(200)
})

test('what was in flight leaves a debt; it is paid first by the next purchase, and the next answer comes', async () => {
  const { buyer, token } = await arriveNearlyBroke()
  const running = await askAtOnce(token)
  await running.finish()
  const debt = (await spent(buyer)) - 1n
  expect(debt).toBeGreaterThan(0n)
  expect(await shop.provenBalance(buyer.accountId)).toBe(-debt)
  expect(await ask(token)).toBe(429)
  await buy(buyer)
  expect(await shop.provenBalance(buyer.accountId)).toBe(SOLD - debt)
  expect(await ask(token)).toBe(200)
})
