import { expect } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { type ConsoleStage, startConsoleStage } from './console-stage.ts'
import { expectGoodLooks } from './looks.ts'
import { refuse } from './refuse.ts'

let stage: ConsoleStage
beforeAll(async () => {
  stage = await startConsoleStage()
  await stage.gateway.admin.call('PATCH', '/admin/settings', { invoice_instructions: 'IBAN DE00 1234' })
})
afterAll(() => stage.close())

/** Somebody who orders by invoice; the order's id. */
async function order(packageId: string) {
  const { context, email, accountId, close } = await stage.visitSignedIn({ credits: 0 })
  const reply = await context.request.post('/client/orders', { data: { package_id: packageId } })
  const { id } = await reply.json()
  await close()
  return { id: String(id), email, accountId }
}

const makePackage = async (name: string, credits: number) => {
  const price = { amount: credits * 4, currency: 'EUR' }
  const made = await stage.gateway.admin.call<{ id: string }>('POST', '/admin/packages', {
    name,
    credits,
    price,
  })
  return made.id
}

test('a package is made, put before the others, taken off sale and deleted; what is wrong stands at its field', async () => {
  const { page, ...visitor } = await stage.visitConsole('/')
  await page.getByRole('link', { name: 'Packages' }).click()
  await expect(page.getByRole('heading', { name: 'No packages yet' })).toBeVisible()
  await page.getByRole('button', { name: 'New package' }).first().press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New package' })
  await dialog.getByLabel('Name').fill('Starter')
  await dialog.getByLabel('Credits').fill('100')
  await dialog.getByLabel('Price').fill('4.999')
  await page.keyboard.press('Enter')
  await expect(
    dialog.getByText('Give an amount such as 4.99, and a currency by its three letters.'),
  ).toBeVisible()
  await expect(dialog.getByLabel('Price')).toBeFocused()
  await expectGoodLooks(page, 'console-package-new')
  await dialog.getByLabel('Price').fill('4.99')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: /Starter/ })
  await expect(row).toContainText('€4.99')
  await expect(row).toContainText('On sale')

  await makePackage('Vault', 10_000)
  await page.reload()
  await page.getByRole('button', { name: 'Actions for Starter' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  const edit = page.getByRole('dialog', { name: 'Edit Starter' })
  await expect(edit.getByLabel('Price')).toHaveValue('4.99')
  await edit.getByLabel('Position').fill('5')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Package saved')).toBeVisible()
  const published = await (await visitor.context.request.get('/v1/catalog/packages')).json()
  expectValue(published.data.map(({ name }: { name: string }) => name)).toEqual(['Vault', 'Starter'])

  await page.getByRole('button', { name: 'Actions for Starter' }).click()
  await page.getByRole('menuitem', { name: 'Take off sale' }).click()
  await expect(row).toContainText('Not on sale')
  await expectGoodLooks(page, 'console-packages')
  await page.getByRole('button', { name: 'Actions for Starter' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete Starter?' })
  await question.getByRole('button', { name: 'Delete package' }).click()
  await expect(row).toHaveCount(0)
  visitor.expectNoComplaints()
  await visitor.close()
})

test('an invoice is found, marked paid and partly paid back: the balance follows', async () => {
  const packageId = await makePackage('Five hundred', 500)
  const [bought, other] = [await order(packageId), await order(packageId)]
  const { page, ...visitor } = await stage.visitConsole('/orders')
  await expect(page.getByRole('row', { name: /Five hundred/ })).toHaveCount(2)
  await expectGoodLooks(page, 'console-orders')
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(bought.email.toUpperCase())
  await expect(page.getByRole('row', { name: /Five hundred/ })).toHaveCount(1)
  await expect(page.getByText(other.email)).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Search orders' })).toHaveValue(bought.email.toUpperCase())
  await page.getByLabel('State').selectOption('Paid')
  await expect(page.getByRole('heading', { name: 'No order fits' })).toBeVisible()
  await page.getByLabel('State').selectOption('Awaiting payment')
  await page.getByRole('link', { name: 'Five hundred' }).click()

  await expect(page.getByText(bought.id)).toBeVisible()
  await expectGoodLooks(page, 'console-order')
  await page.getByRole('button', { name: 'Mark paid' }).press('Enter')
  const paying = page.getByRole('dialog', { name: 'Mark paid' })
  await expect(paying).toContainText('has paid €20.00 and is given 500 credits.')
  await paying.getByLabel('Note').fill('Statement 7')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Statement 7')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark paid' })).toHaveCount(0)
  expectValue(await stage.gateway.balanceOf(bought.accountId)).toBe(500_000_000n)

  await page.getByRole('button', { name: 'Pay back' }).click()
  const refunding = page.getByRole('dialog', { name: 'Pay back' })
  await expect(refunding.getByLabel('Amount in EUR')).toHaveValue('20.00')
  await refunding.getByLabel('Amount in EUR').fill('20.01')
  await refunding.getByRole('button', { name: 'Pay back' }).click()
  await expect(refunding.getByText('Give an amount of up to €20.00.')).toBeVisible()
  await refunding.getByLabel('Amount in EUR').fill('5')
  await expectGoodLooks(page, 'console-order-refund')
  await refunding.getByRole('button', { name: 'Pay back' }).click()
  await expect(page.getByText('Credits taken back')).toBeVisible()
  expectValue(await stage.gateway.balanceOf(bought.accountId)).toBe(375_000_000n)
  await page.getByRole('link', { name: 'See all of its orders' }).click()
  await expect(page.getByRole('row', { name: /Five hundred/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Show every account' }).click()
  await expect(page.getByRole('row', { name: /Five hundred/ })).toHaveCount(2)

  await page.goto('/console/packages')
  await page.getByRole('button', { name: 'Actions for Five hundred' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  visitor.allow(/409/)
  await page.getByRole('button', { name: 'Delete package' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(
    'Orders name this package; take it off sale instead',
  )
  visitor.expectNoComplaints()
  await visitor.close()
})

test('a code is made with its bounds, redeemed, changed and switched off', async () => {
  const { page, ...visitor } = await stage.visitConsole('/promo-codes')
  await expect(page.getByRole('heading', { name: 'No codes yet' })).toBeVisible()
  await page.getByRole('button', { name: 'New code' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New code' })
  await dialog.getByLabel('Code').fill('no')
  await dialog.getByLabel('Credits', { exact: true }).fill('ten')
  await dialog.getByRole('button', { name: 'Make code' }).click()
  await expect(dialog.getByText('Use 4 to 40 letters, digits and dashes.')).toBeVisible()
  await expect(dialog.getByText('Give a number of credits above 0.')).toBeVisible()
  await expect(dialog.getByLabel('Code')).toBeFocused()
  await dialog.getByLabel('Code').fill('welcome-2026')
  await dialog.getByLabel('Credits', { exact: true }).fill('25')
  await dialog.getByLabel('Credits end after days').fill('30')
  await dialog.getByLabel('Uses in all').fill('1')
  await dialog.getByLabel('Last day').fill('2099-12-31')
  await dialog.getByLabel('Note').fill('For the fair')
  await expectGoodLooks(page, 'console-code-new')
  await dialog.getByRole('button', { name: 'Make code' }).click()
  const row = page.getByRole('row', { name: /WELCOME-2026/ })
  await expect(row).toContainText('0 of 1')
  await expect(row).toContainText('31 Dec 2099')

  const { context, accountId, close } = await stage.visitSignedIn({ credits: 0 })
  const redeemed = await context.request.post('/client/promo-codes/redeem', {
    data: { code: 'WELCOME-2026' },
  })
  expectValue(redeemed.status()).toBe(201)
  expectValue(await stage.gateway.balanceOf(accountId)).toBe(25_000_000n)
  await close()
  await page.reload()
  await expect(row).toContainText('Used up')
  await page.getByRole('button', { name: 'Actions for WELCOME-2026' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  const edit = page.getByRole('dialog', { name: 'Edit WELCOME-2026' })
  await expect(edit.getByLabel('Last day')).toHaveValue('2099-12-31')
  await edit.getByLabel('Uses in all').fill('')
  await page.keyboard.press('Enter')
  await expect(row).toContainText('Active')
  await page.getByRole('button', { name: 'Actions for WELCOME-2026' }).click()
  await page.getByRole('menuitem', { name: 'Switch off' }).click()
  await expect(row).toContainText('Switched off')
  await expectGoodLooks(page, 'console-codes')
  visitor.expectNoComplaints()
  await visitor.close()
})

test('who may only look is offered nothing to change; what can not be loaded says so', async () => {
  const { page, ...visitor } = await stage.visitConsole('/orders', { role: 'viewer' })
  await page.getByLabel('State').selectOption('Awaiting payment')
  await page.getByRole('link', { name: 'Five hundred' }).first().click()
  await expect(page.getByRole('heading', { name: 'Five hundred', level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark paid' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Packages' }).click()
  await expect(page.getByRole('row', { name: /Vault/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /New package|Actions/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'Promotional codes' }).click()
  await expect(page.getByRole('row', { name: /WELCOME-2026/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /New code|Actions/ })).toHaveCount(0)

  visitor.allow(/503|404/)
  await page.route('**/admin/orders?*', refuse)
  await page.route('**/admin/orders', refuse)
  await page.goto('/console/orders')
  await expect(page.getByText('The orders could not be loaded')).toBeVisible({ timeout: 15_000 })
  await expectGoodLooks(page, 'console-orders-failed')
  await page.goto('/console/orders/ord_none')
  await expect(page.getByRole('heading', { name: 'There is no such order' })).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})
