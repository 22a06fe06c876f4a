import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from './shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop({ sellsByStripe: false })
})
afterAll(() => shop.close())

const make = (body: object) => shop.gateway.admin.call<{ id: string }>('POST', '/admin/promo-codes', body)

test('a code is worth its credits once an account, whatever case it is written in', async () => {
  await make({ code: 'welcome-5', credits: 5 })
  const buyer = await shop.signUp()
  const tries = await Promise.all(
    Array.from({ length: 8 }, () =>
      buyer.call('POST', '/client/promo-codes/redeem', { code: ' Welcome-5 ' }),
    ),
  )
  expect(tries.filter(reply => reply.status === 201)).toHaveLength(1)
  expect(tries.filter(reply => reply.status === 409)).toHaveLength(7)
  expect(await shop.provenBalance(buyer.accountId)).toBe(5_000_000n)
})

test('a code with three uses in all is redeemed three times, of ten accounts at once', async () => {
  const { id } = await make({ code: 'FIRST-THREE', credits: 1, max_uses: 3 })
  const buyers = await Promise.all(Array.from({ length: 10 }, () => shop.signUp()))
  const tries = await Promise.all(
    buyers.map(buyer => buyer.call('POST', '/client/promo-codes/redeem', { code: 'FIRST-THREE' })),
  )
  expect(tries.filter(reply => reply.status === 201)).toHaveLength(3)
  const { data } = await shop.gateway.admin.call<{ data: { id: string; uses: number }[] }>(
    'GET',
    '/admin/promo-codes',
  )
  expect(data.find(code => code.id === id)?.uses).toBe(3)
})

test('unknown, ended and switched-off codes give one and the same answer', async () => {
  await make({ code: 'OVER', credits: 1, expires_at: '2020-01-01T00:00:00Z' })
  const { id } = await make({ code: 'OFFF', credits: 1 })
  await shop.gateway.admin.call('PATCH', `/admin/promo-codes/${id}`, { enabled: false })
  const buyer = await shop.signUp()
  const answers = []
  for (const code of ['OVER', 'OFFF', 'NONE', "' or 1=1 --"]) {
    answers.push(await buyer.call('POST', '/client/promo-codes/redeem', { code }))
  }
  for (const answer of answers) expect(answer).toEqual({ status: 404, body: answers[0]?.body })
})

test('guessing codes is refused after ten wrong ones', async () => {
  const buyer = await shop.signUp()
  const statuses = []
  for (let count = 0; count < 11; count++) {
    statuses.push((await buyer.call('POST', '/client/promo-codes/redeem', { code: `GUESS-${count}` })).status)
  }
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 404))
  expect(statuses[10]).toBe(429)
})

test.each([
  ['no amount', { credits: 0 }],
  ['a negative amount', { credits: -5 }],
  ['more decimals than a millionth', { credits: 0.0000001 }],
])('a code of %s can not be made', async (_what, wrong) => {
  await expect(make({ code: 'WRONG', ...wrong })).rejects.toThrow(/400/)
})
