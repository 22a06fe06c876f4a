import { expect, type Route } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { askChat } from '#test/support/ask-chat.ts'
import { type StripeServer, startStripeServer } from '#test/support/stripe-server.ts'
import { expectGoodLooks } from './looks.ts'
import { MODEL, type PortalStage, startPortalStage } from './portal-stage.ts'
import type { Visitor } from './visitor.ts'

let stripe: StripeServer
let stage: PortalStage
beforeAll(async () => {
  stripe = await startStripeServer()
  stage = await startPortalStage({ stripe: stripe.access })
  const { admin } = stage.gateway
  for (const [name, credits, amount] of [
    ['Small bag', 100, 500],
    ['Five hundred', 500, 2000],
    ['Vault', 25_000, 90_000],
  ]) {
    await admin.call('POST', '/admin/packages', { name, credits, price: { amount, currency: 'EUR' } })
  }
})
afterAll(async () => {
  await stage.close()
  await stripe.close()
})

/** Pages of the payment processor are none of ours. */
const leave = (visitor: Pick<Visitor, 'allow'>) =>
  visitor.allow(new RegExp(`asked for ${stripe.access.apiUrl}`))

async function makeKey({ context }: Pick<Visitor, 'context'>): Promise<string> {
  const made = await context.request.post('/client/keys', { data: { name: 'worker' } })
  return (await made.json()).token
}

async function ask(token: string): Promise<{ status: number; type: string | null }> {
  const { status, text } = await askChat({ url: stage.gateway.url, token, model: MODEL })
  return { status, type: JSON.parse(text).error?.type ?? null }
}

/** Delivers what Stripe says about an order that was paid on its page. */
const deliver = (orderId: string) =>
  postEvent(stripe.signed('checkout.session.completed', stripe.sessionOf(orderId)))

async function postEvent({ body, signature }: { body: string; signature: string }): Promise<number> {
  const response = await fetch(`${stage.gateway.url}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  })
  return response.status
}

async function expectBooks(accountId: string, micros: bigint): Promise<void> {
  const books = await stage.gateway.app.storage.snapshot(verifyLedger)
  expectValue(books.ok).toBe(true)
  expectValue(await stage.gateway.balanceOf(accountId)).toBe(micros)
}

test('an exhausted account buys a package and goes on: refused, paid, confirmed, answered', async () => {
  const { page, accountId, ...visitor } = await stage.visitSignedIn({ credits: 0 })
  leave(visitor)
  const token = await makeKey(visitor)
  expectValue(await ask(token)).toEqual({ status: 429, type: 'insufficient_quota' })

  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  await expect(page.getByText('None yet')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The ledger is empty' })).toBeVisible()
  await expectGoodLooks(page, 'credits-new')
  await page.getByRole('button', { name: 'Buy Five hundred' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Buy Five hundred' })
  await expect(dialog).toContainText('500 credits for €20.00.')
  await expectGoodLooks(page, 'credits-buy')
  await dialog.getByRole('button', { name: 'Go to payment' }).press('Enter')

  await expect(page.getByRole('heading', { name: 'Pay 2000 eur' })).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByText('You have not paid yet')).toBeVisible()
  await page.getByRole('link', { name: 'Go to payment' }).click()
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByText('Waiting for the payment to be confirmed')).toBeVisible()
  await expectGoodLooks(page, 'order-waiting')
  const orderId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.reload()
  await expect(page.getByText('Waiting for the payment to be confirmed')).toBeVisible()
  // Coming back from the page, and however often the order is looked at, credits nothing.
  await expectBooks(accountId, 0n)
  expectValue((await ask(token)).status).toBe(429)

  expectValue(await deliver(orderId)).toBe(200)
  await expect(page.getByText('500 credits are yours')).toBeVisible()
  await expect(page.getByText('500.00').first()).toBeVisible()
  await expect(page.getByText('Active')).toBeVisible()
  await expectGoodLooks(page, 'order-paid')
  await expectBooks(accountId, 500_000_000n)
  expectValue(await ask(token)).toEqual({ status: 200, type: null })

  const receipt = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'See the receipt' }).click()
  await expect((await receipt).getByRole('heading', { name: 'Receipt' })).toBeVisible()
  await expect(await receipt).toHaveURL(new RegExp(`/client/orders/${orderId}/receipt$`))
  await (await receipt).close()

  await page.getByRole('main').getByRole('link', { name: 'Credits', exact: true }).click()
  const purchase = page.getByRole('row', { name: /Purchase/ })
  await expect(purchase).toContainText('+500.00')
  await expect(page.getByRole('row', { name: /Charge/ })).toBeVisible()
  await page.getByLabel('Entries shown').selectOption('All but charges')
  await expect(page.getByRole('row', { name: /Charge/ })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Orders' }).click()
  await expect(page.getByRole('row', { name: /Five hundred/ })).toContainText('Paid')
  await page.reload()
  await expectGoodLooks(page, 'credits-orders')
  visitor.expectNoComplaints()
  await visitor.close()
})

test('an invoice is shown with the instructions that the operator wrote, and follows when it is marked paid', async () => {
  const { admin } = stage.gateway
  const instructions = 'Transfer to Gold & Co\nIBAN DE00 1234 5678'
  await admin.call('PATCH', '/admin/settings', { invoice_instructions: instructions })
  const { page, accountId, ...visitor } = await stage.visitSignedIn({ credits: 0 })
  await page.goto('/portal/credits')
  await page.getByRole('button', { name: 'Buy Small bag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Pay by').selectOption('Invoice')
  await expect(dialog.getByRole('checkbox')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Order by invoice' }).click()
  await expect(page.getByRole('heading', { name: 'How to pay' })).toBeVisible()
  await expect(page.getByText('IBAN DE00 1234 5678')).toBeVisible()
  await expectGoodLooks(page, 'order-invoice')
  const orderId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.getByRole('button', { name: 'Copy instructions' }).click()
  expectValue(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `${instructions}\n\nPayment reference: ${orderId}`,
  )
  await admin.call('POST', `/admin/orders/${orderId}/mark-paid`)
  await page.reload()
  await expect(page.getByText('100 credits are yours')).toBeVisible()
  await expectBooks(accountId, 100_000_000n)
  await admin.call('PATCH', '/admin/settings', { invoice_instructions: '' })
  visitor.expectNoComplaints()
  await visitor.close()
})

test('a code is redeemed, credits that end are shown, and automatic top-up is set up with a card that is kept', async () => {
  const { admin } = stage.gateway
  await admin.call('POST', '/admin/promo-codes', { code: 'HELLO-GOLD', credits: 12.5, valid_days: 30 })
  const { page, ...visitor } = await stage.visitSignedIn({ credits: 0 })
  leave(visitor)
  visitor.allow(/404/)
  await page.goto('/portal/credits')
  await page.getByLabel('Code').fill('nonsense')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await expect(page.getByText('This code is not valid, or not valid any more')).toBeVisible()
  await page.getByLabel('Code').fill('hello-gold')
  await page.keyboard.press('Enter')
  await expect(page.getByText('12.50 credits are yours.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Credits that end' })).toBeVisible()
  await expect(page.getByText(/Buy a package and keep the payment method/)).toBeVisible()

  await page.getByRole('button', { name: 'Buy Five hundred' }).click()
  await page.getByRole('checkbox', { name: 'Keep the payment method' }).press('Space')
  await page.getByRole('button', { name: 'Go to payment' }).click()
  await page.getByRole('button', { name: 'Pay' }).click()
  // Whether it is confirmed by then, which the service finds out by itself too, is another test's matter.
  await page.waitForURL(/\/portal\/.*\/ord_\w+$/)
  expectValue(await deliver(new URL(page.url()).pathname.split('/').at(-1) ?? '')).toBe(200)
  await expect(page.getByText('500 credits are yours')).toBeVisible()

  await page.goto('/portal/credits')
  await expect(page.getByText('Paid by visa ending in 4242')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Buy credits when they run low' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Give a number of credits, 0 or more.')).toBeVisible()
  await page.getByLabel('Package').selectOption('Five hundred: 500 credits for €20.00')
  await page.getByLabel('When fewer credits are left than').fill('50')
  await page.getByLabel('At most in a month, in EUR').fill('19.99')
  await page.getByRole('button', { name: 'Save' }).click()
  visitor.allow(/400/)
  await expect(page.getByText('has to be enough for one package')).toBeVisible()
  await page.getByLabel('At most in a month, in EUR').fill('60')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Automatic top-up is on')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Buy credits when they run low' })).toBeChecked()
  await expect(page.getByLabel('At most in a month, in EUR')).toHaveValue('60.00')
  await expect(page.getByRole('row', { name: /Purchase/ })).toBeVisible()
  await expectGoodLooks(page, 'credits')

  await page.getByRole('button', { name: 'Forget it' }).click()
  const question = page.getByRole('alertdialog', { name: 'Forget visa ending in 4242?' })
  await question.getByRole('button', { name: 'Forget payment method' }).click()
  await expect(page.getByText(/Buy a package and keep the payment method/)).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})

test('the page of an order tells what became of it: failed, expired, paid back in part, disputed', async () => {
  const { page, context, ...visitor } = await stage.visitSignedIn({ credits: 0 })
  const packages = await (await context.request.get('/client/packages')).json()
  const data = { package_id: packages.data[0].id }
  const place = async () => String((await (await context.request.post('/client/orders', { data })).json()).id)
  const settle = () => stage.gateway.app.sales.payments.watch()

  const failed = await place()
  stripe.pay(failed, { amount: 1 })
  const expired = await place()
  stripe.expire(expired)
  const paid = await place()
  const { payment_intent: intent } = stripe.pay(paid)
  if (!intent) throw new Error('paying makes a payment')
  await settle()
  for (const [id, title] of [
    [failed, 'The payment failed'],
    [expired, 'Nobody paid in time'],
  ]) {
    await page.goto(`/portal/credits/orders/${id}`)
    await expect(page.getByText(String(title))).toBeVisible()
    await expect(page.getByRole('link', { name: 'Choose a package' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'See the receipt' })).toHaveCount(0)
  }
  await stage.gateway.admin.call('POST', `/admin/orders/${paid}/refund`, { amount: 100 })
  await page.goto(`/portal/credits/orders/${paid}`)
  await expect(
    page.getByText('€1.00 of the price were paid back, and 20.00 credits taken back'),
  ).toBeVisible()
  const dispute = stripe.dispute(intent, 'needs_response')
  expectValue(await postEvent(stripe.signed('charge.dispute.created', dispute))).toBe(200)
  await page.reload()
  await expect(page.getByText('The payment is disputed')).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})

test('what can not be loaded says so and is asked for again; an order of somebody else is none', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  visitor.allow(/503|404/)
  let answers = false
  const refuse = (route: Route) => (answers ? route.fallback() : route.fulfill(OUT_OF_ORDER))
  for (const path of ['packages', 'ledger*', 'auto-top-up', 'orders*'])
    await page.route(`**/client/${path}`, refuse)
  await page.getByRole('link', { name: 'Credits', exact: true }).click()
  for (const title of ['The packages', 'The ledger', 'Your settings'])
    await expect(page.getByText(`${title} could not be loaded`)).toBeVisible({ timeout: 15_000 })
  await expectGoodLooks(page, 'credits-failed')
  await page.getByRole('tab', { name: 'Orders' }).click()
  await expect(page.getByText('Your orders could not be loaded')).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('The ledger could not be loaded')).toHaveCount(0)
  answers = true
  // The packages are asked for again with the settings that name one of them.
  for (const title of ['Your orders', 'Your settings']) {
    const failure = page.getByRole('alert').filter({ hasText: title })
    await failure.getByRole('button', { name: 'Try again' }).click()
  }
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Vault' })).toBeVisible()
  await page.goto('/portal/credits/orders/ord_of_somebody_else')
  await expect(page.getByRole('heading', { name: 'There is no such order' })).toBeVisible()
  await expectGoodLooks(page, 'order-missing')
  visitor.expectNoComplaints()
  await visitor.close()
})

const OUT_OF_ORDER = {
  status: 503,
  headers: { 'x-request-id': 'req_test' },
  json: {
    error: { message: 'The service can not reach its records', type: 'service_unavailable', code: null },
  },
}
