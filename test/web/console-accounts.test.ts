import { expect } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { makeCaller } from '#test/support/admin-client.ts'
import { askChat } from '#test/support/ask-chat.ts'
import { type ConsoleStage, startConsoleStage } from './console-stage.ts'
import { expectGoodLooks } from './looks.ts'
import { MODEL } from './portal-stage.ts'

let stage: ConsoleStage
beforeAll(async () => {
  stage = await startConsoleStage()
})
afterAll(() => stage.close())

async function askWith(token: string): Promise<number> {
  return (await askChat({ url: stage.gateway.url, token, model: MODEL })).status
}

test('a customer is made by keyboard, given credits and a key, and is suspended and resumed', async () => {
  const { page, ...visitor } = await stage.visitConsole('/accounts')
  await expect(page.getByRole('heading', { name: 'No accounts yet' })).toBeVisible()
  await expectGoodLooks(page, 'console-accounts-empty')
  await page.getByRole('button', { name: 'New account' }).first().press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name of the account').focus()
  await page.keyboard.type('Acme')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Ama Mensah')
  await page.keyboard.press('Tab')
  await page.keyboard.type('ama@example.org')
  await page.keyboard.press('Tab')
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel(/^First password/)).toBeFocused()
  await expectGoodLooks(page, 'console-account-new')
  await dialog.getByLabel(/^First password/).fill('long enough password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Acme', level: 1 })).toBeVisible()

  await page.getByRole('button', { name: 'Change credits' }).click()
  await dialog.getByLabel('Credits', { exact: true }).fill('12,5')
  await dialog.getByRole('button', { name: 'Change credits' }).click()
  await expect(dialog.getByLabel('Note')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Note').fill('For the trial')
  await expectGoodLooks(page, 'console-change-credits')
  await dialog.getByRole('button', { name: 'Change credits' }).click()
  await expect(page.getByText('The balance is 12.50 now.')).toBeVisible()
  await page.getByRole('button', { name: 'Change credits' }).click()
  await dialog.getByLabel('Kind').selectOption({ value: 'adjustment' })
  await dialog.getByLabel('Credits', { exact: true }).fill('-2.5')
  await dialog.getByLabel('Note').fill('Too much')
  await dialog.getByRole('button', { name: 'Change credits' }).click()
  await expect(page.getByText('The balance is 10.00 now.')).toBeVisible()
  await page.getByRole('tab', { name: 'Ledger' }).click()
  await expect(page.getByRole('row', { name: /Adjustment.*Too much/ })).toContainText('−2.50')
  await expect(page.getByRole('row', { name: /Grant.*For the trial/ })).toContainText('+12.50')
  await expectGoodLooks(page, 'console-account-ledger')

  await page.getByRole('tab', { name: 'Keys' }).click()
  await page.getByRole('button', { name: 'New key' }).click()
  await dialog.getByLabel('Name').fill('worker')
  await dialog.getByLabel('Requests', { exact: true }).fill('5')
  await expectGoodLooks(page, 'console-key-new')
  await dialog.getByRole('button', { name: 'Make key' }).click()
  await expect(page.getByRole('heading', { name: 'worker is ready' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  const token = String(await page.evaluate('navigator.clipboard.readText()'))
  await dialog.getByRole('button', { name: 'I have copied the key' }).click()
  await expect(page.getByText(token)).toHaveCount(0)
  expect(await askWith(token)).toBe(200)

  const row = page.getByRole('row', { name: /worker/ })
  await expect(row).toContainText('5 in 60 s')
  await row.getByRole('button', { name: 'Actions for worker' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Change limits' }).press('Enter')
  await dialog.getByLabel('Requests', { exact: true }).fill('1')
  await dialog.getByLabel('Credits it may spend').fill('3')
  // What another changed since the dialog was opened is not taken back.
  const { data } = await stage.gateway.admin.call<{ data: { id: string }[] }>(
    'GET',
    '/admin/keys?search=worker',
  )
  await stage.gateway.admin.call('PATCH', `/admin/keys/${data[0]?.id}`, { limits: { window_seconds: 90 } })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('1 in 90 s')
  await expect(row).toContainText('3.00 credits a month')
  await expectGoodLooks(page, 'console-account-keys')
  expect(await askWith(token)).toBe(429)

  await page.getByRole('tab', { name: 'Usage' }).click()
  await expect(page.getByRole('img', { name: /Credits by model/ })).toBeVisible()
  await expectGoodLooks(page, 'console-account-usage')

  await page.getByRole('button', { name: 'Suspend' }).click()
  await expectGoodLooks(page, 'console-suspend')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend account' }).click()
  await expect(page.getByText('Suspended', { exact: true })).toBeVisible()
  expect(await askWith(token)).toBe(401)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText('The keys of Acme work again.')).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})

test('an account is closed by whoever types its name, and reopened by an owner', async () => {
  const caller = await makeCaller(stage.gateway.admin)
  const { page, ...visitor } = await stage.visitConsole(`/accounts/${caller.accountId}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await dialog.getByLabel(/^Name of the account/).fill('an account')
  await dialog.getByRole('button', { name: 'Close account' }).click()
  await expect(dialog.getByLabel(/^Name of the account/)).toHaveAttribute('aria-invalid', 'true')
  await expectGoodLooks(page, 'console-close-account')
  await dialog.getByLabel(/^Name of the account/).fill('An account')
  await dialog.getByRole('button', { name: 'Close account' }).click()
  await expect(page.getByText('This account is closed')).toBeVisible()
  await expect(page.getByText(/, by Administrator\./)).toBeVisible()
  expect(await askWith(caller.token)).toBe(401)
  await expectGoodLooks(page, 'console-account-closed')
  await page.getByRole('button', { name: 'Reopen' }).click()
  await expect(page.getByText('The users of An account can sign in, and need new keys.')).toBeVisible()
  await expect(page.getByText('This account is closed')).toHaveCount(0)
  visitor.expectNoComplaints()
  await visitor.close()
})

test('accounts, users and keys are searched, and one leads to the other', async () => {
  const caller = await makeCaller(stage.gateway.admin)
  const { page, ...visitor } = await stage.visitConsole('/accounts')
  await page.getByLabel('Search accounts').fill(caller.accountId)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(/q=acc_/)
  await expectGoodLooks(page, 'console-accounts')
  await page.getByLabel('Search accounts').fill('nobody at all')
  await expect(page.getByRole('heading', { name: 'No account fits' })).toBeVisible()

  await page.getByRole('navigation').getByRole('link', { name: 'Keys' }).click()
  await page.getByLabel('Search keys').fill(caller.keyId)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expectGoodLooks(page, 'console-keys')
  await expect(
    page.getByRole('row', { name: /A key/ }).getByRole('link', { name: 'An account' }),
  ).toBeVisible()
  await page.getByRole('link', { name: 'A user' }).click()
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
  await expectGoodLooks(page, 'console-users')
  await page.getByRole('button', { name: 'Actions for A user' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Disable' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable user' }).click()
  await expect(page.getByRole('row', { name: /A user/ })).toContainText('Disabled')
  expect(await askWith(caller.token)).toBe(401)
  await expect(page).toHaveTitle('Users · Console · Goldweight')
  await page
    .getByRole('row', { name: /A user/ })
    .getByRole('link', { name: 'An account' })
    .click()
  await expect(page.getByRole('heading', { name: 'An account', level: 1 })).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})

test('a viewer is offered nothing to change; an owner makes and disables administrators', async () => {
  const caller = await makeCaller(stage.gateway.admin)
  const viewer = await stage.visitConsole(`/accounts/${caller.accountId}?tab=keys`, { role: 'viewer' })
  await expect(viewer.page.getByRole('row', { name: /A key/ })).toBeVisible()
  for (const name of [/Change credits/, /Suspend/, /^Close$/, /New key/, /^Actions/, /Rename/]) {
    await expect(viewer.page.getByRole('button', { name })).toHaveCount(0)
  }
  await viewer.page.getByRole('link', { name: 'Administrators' }).click()
  await expect(viewer.page.getByRole('row', { name: /root@example.org/ })).toBeVisible()
  await expect(viewer.page.getByRole('button', { name: /New administrator|^Actions/ })).toHaveCount(0)
  viewer.expectNoComplaints()

  const { page, ...owner } = await stage.visitConsole('/administrators')
  await page.getByRole('button', { name: 'New administrator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Kofi Boateng')
  await dialog.getByLabel('E-mail address').fill('kofi@example.org')
  await dialog.getByLabel('Role').selectOption({ value: 'viewer' })
  await dialog.getByLabel('First password').fill('long enough password')
  await expectGoodLooks(page, 'console-administrator-new')
  await dialog.getByRole('button', { name: 'Make administrator' }).click()
  const row = page.getByRole('row', { name: /Kofi Boateng/ })
  await expect(row).toContainText('Viewer')
  await expectGoodLooks(page, 'console-administrators')
  await row.getByRole('button', { name: 'Actions for Kofi Boateng' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable administrator' }).click()
  await expect(row).toContainText('Disabled')
  owner.expectNoComplaints()
  await viewer.close()
  await owner.close()
})

test('an account that is not there, or can not be loaded, says so', async () => {
  const { page, ...visitor } = await stage.visitConsole('/accounts/acc_nothing')
  visitor.allow(/404|503/)
  await expect(page.getByRole('heading', { name: 'There is no such account' })).toBeVisible()
  const error = { message: 'The service is resting.', type: 'service_unavailable', code: null }
  await page.route('**/admin/accounts?*', route => route.fulfill({ status: 503, json: { error } }))
  await page.route('**/admin/accounts', route => route.fulfill({ status: 503, json: { error } }))
  await page.getByRole('link', { name: 'All accounts' }).click()
  await expect(page.getByText('The accounts could not be loaded')).toBeVisible({ timeout: 15_000 })
  await expectGoodLooks(page, 'console-accounts-failed')
  visitor.expectNoComplaints()
  await visitor.close()
})
