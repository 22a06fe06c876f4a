import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../people/people-service.ts'
import { openShop, type Shop } from './shop.ts'

const DAY_MS = 86_400_000
let clock: ReturnType<typeof createTestClock>
let shop: Shop
beforeEach(async () => {
  clock = createTestClock()
  shop = await openShop({ sellsByStripe: false, clock })
})
afterEach(() => shop.close())

const expireDue = () => shop.gateway.app.sales.expiringCredits.expireDue()

async function redeem(credits: number, days: number) {
  const code = `DAYS-${days}-${Math.random().toString(36).slice(2, 8)}`
  await shop.gateway.admin.call('POST', '/admin/promo-codes', { code, credits, valid_days: days })
  const buyer = await shop.signUp()
  expect((await buyer.call('POST', '/client/promo-codes/redeem', { code })).status).toBe(201)
  return buyer
}

test('unused credits end on their day, once, as an entry of the ledger, whoever looks', async () => {
  const buyer = await redeem(10, 7)
  await expireDue()
  expect(await shop.provenBalance(buyer.accountId)).toBe(10_000_000n)
  clock.advance(7 * DAY_MS + 1000)
  await Promise.all(Array.from({ length: 5 }, expireDue))
  expect(await shop.provenBalance(buyer.accountId)).toBe(0n)
  const { body } = await buyer.call('GET', '/client/ledger')
  expect(body.data).toMatchObject([
    { kind: 'adjustment', amount: -10, note: expect.stringContaining('expired') },
    { kind: 'grant', amount: 10 },
  ])
})

test('an end takes no more than the account still has', async () => {
  const buyer = await redeem(10, 7)
  await shop.gateway.admin.call('POST', `/admin/accounts/${buyer.accountId}/credits`, {
    amount: -8,
    kind: 'adjustment',
    note: '',
  })
  clock.advance(8 * DAY_MS)
  await expireDue()
  expect(await shop.provenBalance(buyer.accountId)).toBe(0n)
})
