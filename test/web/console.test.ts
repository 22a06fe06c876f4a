import { expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { totpCode } from '#domains/identity/totp.ts'
import { ADMIN } from '#test/support/admin-client.ts'
import { type ConsoleStage, startConsoleStage } from './console-stage.ts'
import { expectGoodLooks } from './looks.ts'
import { PASSWORD } from './portal-stage.ts'

let stage: ConsoleStage
beforeAll(async () => {
  stage = await startConsoleStage()
})
afterAll(() => stage.close())

async function setUpSecondFactor(page: Page, password: string): Promise<string> {
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  const secret = String(await page.evaluate('navigator.clipboard.readText()'))
  await dialog.getByLabel('Code').fill(codeNow(secret))
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await dialog.getByRole('button', { name: 'I have kept the codes' }).click()
  return secret
}

const codeNow = (secret: string, later = 0) => totpCode(secret, Math.floor(Date.now() / 30_000) + later)

describe('the doors of the console', () => {
  test('by keyboard alone: sign in to the page that was asked for, and sign out', async () => {
    const { page, ...visitor } = await stage.visit()
    visitor.allow(/401/)
    await page.goto('/console/account')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(page.getByText('Sign up')).toHaveCount(0)
    await expect(page.getByLabel('E-mail address')).toBeFocused()
    await expectGoodLooks(page, 'console-sign-in')
    await page.keyboard.type(ADMIN.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type('not this one')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('No account has this e-mail address and password.')
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Your account', level: 1 })).toBeVisible()
    await expect(page.getByRole('banner').getByText('Owner')).toBeVisible()
    await expectGoodLooks(page, 'console-account')
    await page.getByRole('link', { name: 'Overview' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.goto('/console/')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test("a customer's session opens nothing, and an address that leads nowhere says so", async () => {
    const { page, ...visitor } = await stage.visitSignedIn()
    visitor.allow(/401/)
    await page.goto('/console/')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.goto('/console/nowhere')
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('where a second factor is required, it is set up before anything else, and asked for from then on', async () => {
    const { page, ...visitor } = await stage.visitConsole('/', { role: 'operator' })
    visitor.allow(/403/)
    const email = await page.getByRole('banner').getByText('@example.org').innerText()
    await stage.gateway.admin.call('PATCH', '/admin/settings', { require_two_factor: true })
    await page.reload()
    await expect(page.getByText('Set up a second factor first')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Overview' })).toHaveCount(0)
    await expectGoodLooks(page, 'console-second-factor-required')
    const secret = await setUpSecondFactor(page, PASSWORD)
    await page.getByRole('link', { name: 'Overview' }).click()
    await expect(page.getByRole('heading', { name: 'Now' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()

    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
    await page.getByLabel('Code').fill(codeNow(secret, 1))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
  })
})
