import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Download, expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { totpCode } from '#domains/identity/totp.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { type IdentityStage, startIdentityStage } from './identity-stage.ts'
import { expectGoodLooks } from './looks.ts'
import { PASSWORD } from './portal-stage.ts'

const NEW_PASSWORD = 'another horse battery'

let stage: IdentityStage
beforeAll(async () => {
  stage = await startIdentityStage()
})
afterAll(() => stage.close())

const panel = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, level: 2 }) })

const codeNow = (secret: string) => totpCode(secret, Math.floor(Date.now() / 30_000))

/** Somebody whose second factor is on, signed in. */
async function visitWithSecondFactor() {
  const visitor = await stage.visitSignedIn('/portal/')
  const { request } = visitor.context
  // What a page still asks for would be refused once its session is renewed.
  await visitor.page.goto('about:blank')
  const begun = await request.post('/client/two-factor', { data: { current_password: PASSWORD } })
  const { secret } = await begun.json()
  const confirmed = await request.post('/client/two-factor/confirm', { data: { code: codeNow(secret) } })
  const { recovery_codes: codes }: { recovery_codes: string[] } = await confirmed.json()
  return { ...visitor, codes }
}

async function textOf(download: Download): Promise<string> {
  const folder = await makeTemporaryFolder()
  const path = join(folder.path, 'download')
  await download.saveAs(path)
  const text = await readFile(path, 'utf8')
  await folder.remove()
  return text
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/portal/sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('the account', () => {
  test('the page looks good, and says what there is', async () => {
    const { page, email, ...visitor } = await stage.visitSignedIn('/portal/account')
    await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
    await expect(panel(page, 'Profile')).toContainText(email)
    await expect(panel(page, 'Profile')).toContainText('Not confirmed')
    await expect(panel(page, 'Sessions').getByRole('row', { name: /on Linux/ })).toContainText('This one')
    await expect(panel(page, 'Second factor')).toContainText('Off')
    await expect(panel(page, 'Sign-in through another service')).toContainText('Nothing is connected')
    await expectGoodLooks(page, 'account')
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('a new name stands in the navigation at once', async () => {
    const { page, ...visitor } = await stage.visitSignedIn('/portal/account')
    await panel(page, 'Profile').getByLabel('Name').fill('Ama Owusu')
    await panel(page, 'Profile').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Name saved')).toBeVisible()
    await expect(page.getByRole('banner').getByText('Ama Owusu')).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('by keyboard alone: a new password, which ends the other sessions', async () => {
    const { page, email, ...visitor } = await stage.visitSignedIn('/portal/account')
    const other = await stage.visit()
    await signIn(other.page, email)
    await expect(other.page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()

    await panel(page, 'Password').getByLabel('Current password').focus()
    await page.keyboard.type('not this one')
    await page.keyboard.press('Tab')
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await expect(panel(page, 'Password').getByLabel('New password')).toHaveAccessibleDescription(
      /at least 10 characters/,
    )
    await panel(page, 'Password').getByLabel('New password').fill(NEW_PASSWORD)
    visitor.allow(/403/)
    await page.keyboard.press('Enter')
    await expect(panel(page, 'Password').getByRole('alert')).toHaveText('The current password is wrong')
    await panel(page, 'Password').getByLabel('Current password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByText('All other sessions have ended.')).toBeVisible()
    await expect(panel(page, 'Password').getByLabel('Current password')).toHaveValue('')

    await other.page.getByRole('link', { name: 'Keys', exact: true }).click()
    await expect(other.page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.getByRole('link', { name: 'Overview' }).click()
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
    await other.close()
  })

  test('sessions are listed, and ended one by one or all others together', async () => {
    const { page, email, ...visitor } = await stage.visitSignedIn('/portal/account')
    const others = await Promise.all([1, 2, 3].map(() => stage.visit()))
    for (const other of others) {
      await signIn(other.page, email)
      await expect(other.page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    }
    await page.reload()
    const sessions = panel(page, 'Sessions')
    await expect(sessions.getByRole('button', { name: /^End the session/ })).toHaveCount(3)
    await expectGoodLooks(page, 'account-sessions')
    await sessions
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click()
    await expect(page.getByText('Session ended')).toBeVisible()
    await expect(sessions.getByRole('button', { name: /^End the session/ })).toHaveCount(2)
    await sessions.getByRole('button', { name: 'End all others' }).click()
    const question = page.getByRole('alertdialog', { name: 'End all other sessions?' })
    await expectGoodLooks(page, 'account-end-sessions')
    await question.getByRole('button', { name: 'End sessions' }).click()
    await expect(sessions.getByRole('button', { name: /^End the session/ })).toHaveCount(0)
    // Its overview asks for news every few seconds, and may have been led to the door already.
    await others[0]?.page.reload()
    await expect(
      others[0]?.page.getByRole('heading', { name: 'Sign in' }) ?? page.getByText('nobody'),
    ).toBeVisible()
    visitor.expectNoComplaints()
    await Promise.all([visitor, ...others].map(one => one.close()))
  })

  test('what can not be loaded says so, and is loaded by another try', async () => {
    const { page, ...visitor } = await stage.visitSignedIn('/portal/')
    await page.route('**/client/profile', route => route.fulfill({ status: 503, json: BROKEN }))
    await page.route('**/client/sessions*', route => route.fulfill({ status: 503, json: BROKEN }))
    visitor.allow(/503/)
    await page.goto('/portal/account')
    await expect(page.getByText('Your account could not be loaded')).toBeVisible({ timeout: 15_000 })
    await page.unroute('**/client/profile')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Your sessions could not be loaded')).toBeVisible({ timeout: 15_000 })
    await expectGoodLooks(page, 'account-broken')
    await visitor.close()
  })
})

const BROKEN = { error: { type: 'service_unavailable', code: null, message: 'The service is resting.' } }

describe('the second factor', () => {
  test('is set up with a picture or a key, and leaves ten recovery codes', async () => {
    const { page, ...visitor } = await stage.visitSignedIn('/portal/account')
    await panel(page, 'Second factor').getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await expectGoodLooks(page, 'two-factor-password')
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog.getByRole('img', { name: /scan with your authenticator app/ })).toBeVisible()
    await expectGoodLooks(page, 'two-factor-secret')
    await dialog.getByRole('button', { name: 'Copy key' }).click()
    const secret = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    visitor.allow(/403/)
    await dialog.getByLabel('Code').fill('000000')
    await dialog.getByRole('button', { name: 'Switch on' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('The code is wrong, or was used before')
    await dialog.getByLabel('Code').fill(codeNow(secret))
    await dialog.getByRole('button', { name: 'Switch on' }).click()

    await expect(page.getByRole('heading', { name: 'The second factor is on' })).toBeVisible()
    await expect(dialog.getByRole('listitem')).toHaveCount(10)
    await expectGoodLooks(page, 'two-factor-codes')
    await dialog.getByRole('button', { name: 'Copy codes' }).click()
    const codes = String(await page.evaluate('navigator.clipboard.readText()'))
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    expect(await textOf(await download)).toBe(`${codes}\n`)
    await dialog.getByRole('button', { name: 'I have kept the codes' }).click()
    await expect(panel(page, 'Second factor')).toContainText('10 recovery codes are left.')
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('by keyboard alone: a wrong code is said so, and a recovery code signs in', async () => {
    const { email, codes, ...member } = await visitWithSecondFactor()
    const { page, ...visitor } = await stage.visit({ width: 390, height: 844 })
    visitor.allow(/401/)
    await signIn(page, email)
    await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
    await expect(page.getByLabel('Code')).toBeFocused()
    await expectGoodLooks(page, 'sign-in-code')
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('The code is wrong, or was used before')
    await page.getByRole('button', { name: 'Use a recovery code' }).press('Enter')
    await expect(page.getByLabel('Recovery code')).toBeFocused()
    await expectGoodLooks(page, 'sign-in-recovery-code')
    await page.keyboard.type(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    visitor.expectNoComplaints()
    await member.page.goto('/portal/account')
    await expect(panel(member.page, 'Second factor')).toContainText('9 recovery codes are left.')
    await visitor.close()
    await member.close()
  })

  test('makes new recovery codes, and is switched off with both factors', async () => {
    const { page, codes, ...visitor } = await visitWithSecondFactor()
    await page.goto('/portal/account')
    const dialog = page.getByRole('dialog')
    await panel(page, 'Second factor').getByRole('button', { name: 'New recovery codes' }).click()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByLabel('Code').fill(codes[1] ?? '')
    await dialog.getByRole('button', { name: 'Make codes' }).click()
    await expect(dialog.getByRole('listitem')).toHaveCount(10)
    const [fresh] = await dialog.getByRole('listitem').allTextContents()
    await dialog.getByRole('button', { name: 'I have kept the codes' }).click()

    await panel(page, 'Second factor').getByRole('button', { name: 'Switch off' }).click()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByLabel('Code').fill(fresh ?? '')
    await expectGoodLooks(page, 'two-factor-off')
    await dialog.getByRole('button', { name: 'Switch off' }).click()
    await expect(page.getByText('The second factor is off')).toBeVisible()
    await expect(panel(page, 'Second factor').getByRole('button', { name: 'Set up' })).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
  })
})
