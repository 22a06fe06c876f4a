import { expect } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { askChat } from '#test/support/ask-chat.ts'
import { expectGoodLooks } from './looks.ts'
import { MODEL, type PortalStage, startPortalStage } from './portal-stage.ts'
import { refuse } from './refuse.ts'

let stage: PortalStage
beforeAll(async () => {
  stage = await startPortalStage()
})
afterAll(() => stage.close())

async function askWith(token: string): Promise<number> {
  return (await askChat({ url: stage.gateway.url, token, model: MODEL })).status
}

test('a key is made, its token copied by one click, and it opens the API; revoked, it is refused', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible()
  await expectGoodLooks(page, 'keys-empty')

  await page.getByRole('button', { name: 'New key' }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').press('Enter')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Name').fill('billing-service')
  await dialog.getByLabel('Expires').selectOption('In 30 days')
  await expectGoodLooks(page, 'keys-new')
  await dialog.getByRole('button', { name: 'Make key' }).click()
  await expect(page.getByRole('heading', { name: 'billing-service is ready' })).toBeVisible()
  await expectGoodLooks(page, 'keys-token')
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  const token = String(await page.evaluate('navigator.clipboard.readText()'))
  expect(token).toMatch(/^gw_/)
  for (const language of ['curl', 'Python', 'TypeScript']) {
    await dialog.getByRole('tab', { name: language }).click()
    const sample = dialog.getByRole('tabpanel', { name: language })
    await expect(sample).toContainText(stage.gateway.url)
    await expect(sample).not.toContainText(token)
  }
  expect(await askWith(token)).toBe(200)
  await dialog.getByRole('button', { name: 'I have copied the key' }).click()

  let row = page.getByRole('row', { name: /billing-service/ })
  await expect(row).toContainText('Active')
  await expect(page.getByText(token)).toHaveCount(0)
  await expectGoodLooks(page, 'keys')
  await expect(row).toContainText('1 of 600 in 60 s')
  await row.getByRole('button', { name: 'Actions for billing-service' }).press('Enter')
  await expectGoodLooks(page, 'keys-menu')
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter')
  const rename = page.getByRole('dialog', { name: 'Rename key' })
  await rename.getByLabel('Name').fill('invoices')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /invoices/ })).toBeVisible()

  row = page.getByRole('row', { name: /invoices/ })
  await row.getByRole('button', { name: 'Actions for invoices' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  const question = page.getByRole('alertdialog', { name: 'Revoke invoices?' })
  await expectGoodLooks(page, 'keys-revoke')
  await question.getByRole('button', { name: 'Revoke key' }).click()
  await expect(row).toContainText('Revoked')
  await expect(page.getByText('invoices is refused from now on.')).toBeVisible()
  expect(await askWith(token)).toBe(401)
  visitor.expectNoComplaints()
  await visitor.close()
})

test('a key is rotated: issued, watched while the traffic moves, and revoked without a request being refused', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  const made = await visitor.context.request.post('/client/keys', { data: { name: 'worker' } })
  const old = await made.json()
  const rules = { models: [MODEL, 'acme/other'], spending_cap: { credits: 20, period: 'month' } }
  await stage.gateway.admin.call('PATCH', `/admin/keys/${old.id}`, rules)
  expect(await askWith(old.token)).toBe(200)
  await page.goto('/portal/keys')
  const row = page.getByRole('row', { name: /worker/ })
  await expect(row).toContainText(`Only ${MODEL}, acme/other`)
  await expect(row).toContainText('At most 20.00 credits a month')
  await expectGoodLooks(page, 'keys-rules')
  await page.getByRole('button', { name: 'Actions for worker' }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await expect(page.getByRole('heading', { name: 'Rotate worker', level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Revoke the old key' })).toBeDisabled()
  await expect(page.getByLabel('Name')).toHaveValue('worker (new)')
  await page.getByRole('button', { name: 'Make key' }).click()
  await page.getByRole('button', { name: 'Copy key' }).click()
  const token = String(await page.evaluate('navigator.clipboard.readText()'))

  const oldTraffic = page.getByRole('region', { name: 'Old key' })
  const newTraffic = page.getByRole('region', { name: 'New key' })
  await expect(oldTraffic).toContainText('1 of 600')
  await expect(page.getByText('worker is in use right now.')).toBeVisible()
  await expectGoodLooks(page, 'keys-rotate')
  expect(await askWith(token)).toBe(200)
  await expect(newTraffic).toContainText('1 of 600')
  await page.reload()
  await expect(newTraffic).toContainText('1 of 600')

  await page.getByRole('button', { name: 'Revoke the old key' }).click()
  const question = page.getByRole('alertdialog', { name: 'Revoke worker?' })
  await expect(question).toContainText('worker is in use right now.')
  await question.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByRole('heading', { name: 'worker is revoked' })).toBeVisible()
  expect(await askWith(old.token)).toBe(401)
  expect(await askWith(token)).toBe(200)
  visitor.expectNoComplaints()
  await visitor.close()
})

test('keys that can not be loaded are said to be, and come when they are asked for again', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  visitor.allow(/503/)
  let answers = false
  await page.route('**/client/keys?*', route => (answers ? route.fallback() : refuse(route)))
  await page.route('**/client/keys', route => (answers ? route.fallback() : refuse(route)))
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Your keys could not be loaded', { timeout: 15_000 })
  await expectGoodLooks(page, 'keys-failed')
  answers = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})
