import { expect } from '@playwright/test'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type IdentityStage, startIdentityStage } from './identity-stage.ts'
import { expectGoodLooks } from './looks.ts'
import { PASSWORD } from './portal-stage.ts'

let stage: IdentityStage
beforeAll(async () => {
  stage = await startIdentityStage()
})
afterAll(() => stage.close())

describe('signing in through another service', () => {
  test('leads there, and back to the page that was asked for', async () => {
    stage.provider.signInAs({ sub: 'esi', email: 'esi@example.org', email_verified: true, name: 'Esi' })
    const { page, ...visitor } = await stage.visit()
    visitor.allow(/401|asked for/)
    await page.goto('/portal/keys')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expectGoodLooks(page, 'sign-in-provider')
    await page.getByRole('link', { name: 'Continue with Acme Login' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Keys', level: 1 })).toBeVisible()
    await expect(page.getByRole('banner').getByText('esi@example.org')).toBeVisible()

    await page.getByRole('link', { name: 'Account' }).click()
    await expect(page.getByRole('button', { name: 'Set password' })).toBeVisible()
    await expectGoodLooks(page, 'account-without-password')
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page.getByLabel('Current password')).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('who cancels there is told so here', async () => {
    stage.provider.signInAs(null)
    const { page, ...visitor } = await stage.visit()
    visitor.allow(/401|asked for/)
    await page.goto('/portal/sign-in')
    await page.getByRole('link', { name: 'Continue with Acme Login' }).click()
    await expect(page.getByRole('alert')).toHaveText('The sign-in was cancelled there.')
    await expectGoodLooks(page, 'sign-in-cancelled')
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('whoever has a password connects it in the account, and disconnects it', async () => {
    const { page, email, ...visitor } = await stage.visitSignedIn('/portal/account')
    visitor.allow(/asked for/)
    stage.provider.signInAs({ sub: 'connected', email: 'elsewhere@example.com', email_verified: true })
    await page.getByRole('button', { name: 'Connect Acme Login' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('elsewhere@example.com')).toBeVisible()
    await expectGoodLooks(page, 'account-connected')

    const other = await stage.visit()
    other.allow(/401|asked for/)
    await other.page.goto('/portal/sign-in')
    await other.page.getByRole('link', { name: 'Continue with Acme Login' }).click()
    await expect(other.page.getByRole('banner').getByText(email)).toBeVisible()

    await page.getByRole('button', { name: 'Disconnect elsewhere@example.com' }).click()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await expectGoodLooks(page, 'disconnect-service')
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByText('Nothing is connected')).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
    await other.close()
  })
})

test('closed to sign-up, the pages say so and offer nothing that is refused', async () => {
  await stage.gateway.admin.call('PATCH', '/admin/settings', { sign_up: 'closed' })
  const { page, ...visitor } = await stage.visit()
  visitor.allow(/401/)
  await page.goto('/portal/sign-in')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign up' })).toHaveCount(0)
  await page.goto('/portal/sign-up')
  await expect(page.getByText('Sign-up is closed.')).toBeVisible()
  await expectGoodLooks(page, 'sign-up-closed')
  visitor.expectNoComplaints()
  await visitor.close()
})
