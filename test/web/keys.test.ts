import { expect } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expectGoodLooks } from './looks.ts'
import { MODEL, type PortalStage, startPortalStage } from './portal-stage.ts'

let stage: PortalStage
beforeAll(async () => {
  stage = await startPortalStage()
})
afterAll(() => stage.close())

async function askWith(token: string): Promise<number> {
  const response = await fetch(`${stage.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.arrayBuffer()
  return response.status
}

test('a key is made, its token copied by one click, and it opens the API; revoked, it is refused', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  await page.getByRole('link', { name: 'Keys' }).click()
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible()
  await expectGoodLooks(page, 'keys-empty')

  await page.getByRole('button', { name: 'New key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make key' }).click()
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
    const sample = dialog.getByRole('tabpanel')
    await expect(sample).toContainText(stage.gateway.url)
    await expect(sample).not.toContainText(token)
  }
  expect(await askWith(token)).toBe(200)
  await dialog.getByRole('button', { name: 'I have copied the key' }).click()

  const row = page.getByRole('row', { name: /billing-service/ })
  await expect(row).toContainText('Active')
  await expect(page.getByText(token)).toHaveCount(0)
  await expectGoodLooks(page, 'keys')
  await row.getByRole('button', { name: 'Revoke billing-service' }).click()
  const question = page.getByRole('alertdialog', { name: 'Revoke billing-service?' })
  await expectGoodLooks(page, 'keys-revoke')
  await question.getByRole('button', { name: 'Revoke key' }).click()
  await expect(row).toContainText('Revoked')
  await expect(page.getByText('billing-service is refused from now on.')).toBeVisible()
  expect(await askWith(token)).toBe(401)
  visitor.expectNoComplaints()
  await visitor.close()
})
