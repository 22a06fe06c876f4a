import { expect } from '@playwright/test'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectGoodLooks } from './looks.ts'
import { PASSWORD, type PortalStage, startPortalStage } from './portal-stage.ts'

let stage: PortalStage
beforeAll(async () => {
  stage = await startPortalStage()
})
afterAll(() => stage.close())

describe('signing up and in', () => {
  test('by keyboard alone: sign up, see the balance, sign out, and sign in to the page that was asked for', async () => {
    const { page, ...visitor } = await stage.visit()
    visitor.allow(/401/)
    await page.goto('/portal/keys')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.getByRole('link', { name: 'Sign up' }).press('Enter')
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.keyboard.type('Kofi Boateng')
    await page.keyboard.press('Tab')
    await page.keyboard.type('kofi@example.org')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Keys', level: 1 })).toBeVisible()

    await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.goto('/portal/?from=here')
    await expect(page.getByLabel('E-mail address')).toBeFocused()
    await page.keyboard.type('kofi@example.org')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('a wrong password is told without a word on which half was wrong', async () => {
    const { page, ...visitor } = await stage.visit()
    await page.goto('/portal/sign-in')
    await page.getByLabel('E-mail address').fill('nobody@example.org')
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert')).toHaveText('No account has this e-mail address and password.')
    await visitor.close()
  })

  test('what the form refuses is said at the field, and the field has the focus', async () => {
    const { page, ...visitor } = await stage.visit()
    await page.goto('/portal/sign-up')
    await page.getByLabel('Name').fill('Kofi')
    await page.getByLabel('E-mail address').fill('kofi2@example.org')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByLabel('Password')).toBeFocused()
    await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/at least 10 characters/)
    await expectGoodLooks(page, 'sign-up-refused')
    await visitor.close()
  })

  test('nobody is sent to another site after signing in', async () => {
    const { page, ...visitor } = await stage.visit()
    await page.goto('/portal/sign-in?from=//evil.example')
    await page.getByLabel('E-mail address').fill('kofi@example.org')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    await visitor.close()
  })

  test('the pages look good', async () => {
    const { page, ...visitor } = await stage.visit()
    visitor.allow(/401/)
    await page.goto('/portal/sign-in')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expectGoodLooks(page, 'sign-in')
    visitor.expectNoComplaints()
    await visitor.close()
  })
})
