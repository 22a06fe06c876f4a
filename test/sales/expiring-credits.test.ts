import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestClock } from '#test/support/test-clock.ts'
import { openShop, type Shop } from './shop.ts'

const DAY_MS = 86_400_000
let clock: ReturnType<typeof createTestClock>
let shop: Shop
beforeEach(async () => {
  clock = createTestClock()
  shop = await openShop({ sellsByStripe: false, clock })
})
afterEach(() => shop.close())

const expireDue = () => shop.gateway.app.domains.expiringCredits.expireDue()

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

test('an operator grants credits that end, in the future and as a grant alone', async () => {
  const buyer = await shop.signUp()
  const change = (body: object) =>
    shop.gateway.admin.call('POST', `/admin/accounts/${buyer.accountId}/credits`, {
      amount: 5,
      note: '',
      ...body,
    })
  const tomorrow = new Date(clock.now() + DAY_MS).toISOString()
  await expect(change({ kind: 'refund', expires_at: tomorrow })).rejects.toThrow(/400.*only a grant/)
  await expect(change({ kind: 'grant', expires_at: '2020-01-01T00:00:00Z' })).rejects.toThrow(/400.*future/)
  await change({ kind: 'grant', expires_at: tomorrow })
  await change({ kind: 'grant' })
  expect(await shop.provenBalance(buyer.accountId)).toBe(10_000_000n)
  clock.advance(2 * DAY_MS)
  await expireDue()
  expect(await shop.provenBalance(buyer.accountId)).toBe(5_000_000n)
})

test('a customer sees what of the credits will end and when: those that end soonest are used first', async () => {
  const buyer = await shop.signUp()
  const { admin } = shop.gateway
  const change = (body: object) =>
    admin.call('POST', `/admin/accounts/${buyer.accountId}/credits`, { kind: 'grant', note: '', ...body })
  const now = clock.now()
  const inDays = (days: number) => new Date(now + days * DAY_MS).toISOString()
  await change({ amount: 5, expires_at: inDays(9) })
  await change({ amount: 3, expires_at: inDays(2) })
  await change({ amount: 100 })
  expect((await buyer.call('GET', '/client/expiring-credits')).body).toEqual({
    object: 'list',
    data: [
      { object: 'expiring_credits', credits: 3, expires_at: inDays(2) },
      { object: 'expiring_credits', credits: 5, expires_at: inDays(9) },
    ],
    next_cursor: null,
  })
  clock.advance(3 * DAY_MS)
  await expireDue()
  const { body } = await buyer.call('GET', '/client/expiring-credits')
  expect(body.data).toMatchObject([{ credits: 5 }])
})
