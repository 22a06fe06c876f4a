import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Buyer } from './open-account.ts'
import { openShop, type Shop } from './shop.ts'

let shop: Shop
let buyer: Buyer
beforeAll(async () => {
  shop = await openShop({ sellsByStripe: false })
  buyer = await shop.signUp()
})
afterAll(() => shop.close())

const place = () => buyer.call('POST', '/client/orders', { package_id: shop.packageId })
const balance = () => shop.provenBalance(buyer.accountId)

test('without instructions paying by invoice is not offered', async () => {
  expect(await place()).toMatchObject({ status: 409, body: { error: { type: 'conflict_error' } } })
  expect((await buyer.call('GET', '/client/payment-options')).body.processors).toEqual([])
})

test('a customer gets the instructions that the operator wrote, and credits when the operator has seen the money', async () => {
  const { admin } = shop.gateway
  await admin.call('PATCH', '/admin/settings', {
    invoice_instructions: 'IBAN DE00 1234',
    receipt_seller: 'Gold & Co',
  })
  const { body: order } = await place()
  expect(order).toMatchObject({
    state: 'awaiting_payment',
    processor: 'invoice',
    payment: { kind: 'instructions', text: `IBAN DE00 1234\n\nPayment reference: ${order.id}` },
  })
  expect((await buyer.call('GET', `/client/orders/${order.id}/receipt`)).status).toBe(404)
  expect(await balance()).toBe(0n)

  const marks = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      admin.call('POST', `/admin/orders/${order.id}/mark-paid`, { note: 'statement 7' }),
    ),
  )
  expect(marks.some(mark => mark.status === 'fulfilled')).toBe(true)
  expect(await balance()).toBe(500_000_000n)
  await expect(admin.call('POST', `/admin/orders/${order.id}/mark-paid`)).rejects.toThrow(/409/)
  const { data: audit } = await admin.call<{ data: { action: string }[] }>('GET', '/admin/audit')
  expect(audit.filter(entry => entry.action === 'order.mark_paid')).toHaveLength(1)

  const receipt = await buyer.call('GET', `/client/orders/${order.id}/receipt`)
  expect(receipt.status).toBe(200)
  expect(receipt.body).toContain('EUR\u00a010.00')
  expect(receipt.body).toContain('Gold &amp; Co')
  expect(receipt.body).toContain(`<title>Receipt ${order.id} · Goldweight</title>`)
  expect(receipt.body).toContain('A &lt;b&gt;buyer&lt;/b&gt;')

  const refunded = await admin.call('POST', `/admin/orders/${order.id}/refund`, { amount: 250 })
  expect(refunded).toMatchObject({ state: 'paid', refunded: { amount: 250 }, credits_taken_back: 125 })
  expect(await balance()).toBe(375_000_000n)
})

test('unpaid orders of one account are bounded', async () => {
  const statuses: number[] = []
  for (let count = 0; count < 22; count++) statuses.push((await place()).status)
  expect(statuses.filter(status => status === 201)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
})

test('an order can not move back: the store itself refuses', async () => {
  const { storage } = shop.gateway.app
  const back = storage.db
    .updateTable('orders')
    .set({ state: 'created', paid_at: null })
    .where('state', '=', 'paid')
  await expect(storage.commit([{ query: back }])).rejects.toThrow(/can not move/)
})

test('operators find an order by its number, by its account and by its owner, and only what they look for', async () => {
  const { admin } = shop.gateway
  const other = await shop.signUp()
  const { body: order } = await other.call('POST', '/client/orders', { package_id: shop.packageId })
  const found = async (query: string) => {
    const { data } = await admin.call<{ data: { id: string }[] }>('GET', `/admin/orders?limit=100&${query}`)
    return data.map(({ id }) => id)
  }
  const { account } = await admin.call<{ account: { name: string; owner_email: string } }>(
    'GET',
    `/admin/orders/${order.id}`,
  )
  expect(await found(`search=${order.id}`)).toEqual([order.id])
  expect(await found(`search=${account.owner_email.toUpperCase()}`)).toEqual([order.id])
  expect(await found(`search=${encodeURIComponent(account.name.toUpperCase())}`)).toContain(order.id)
  expect(await found(`account_id=${other.accountId}&state=awaiting_payment`)).toEqual([order.id])
  for (const none of ['search=%25', 'search=_', 'search=nobody', `account_id=${other.accountId}&state=paid`])
    expect(await found(none)).toEqual([])
})
