import { expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { ADMIN } from '#test/support/admin-client.ts'
import type { ReceivedMail } from '#test/support/mail-server.ts'
import { type IdentityStage, startIdentityStage } from './identity-stage.ts'
import { expectGoodLooks } from './looks.ts'
import { PASSWORD } from './portal-stage.ts'

const NEW_PASSWORD = 'another horse battery'

let stage: IdentityStage
beforeAll(async () => {
  stage = await startIdentityStage()
})
afterAll(() => stage.close())

function linkIn({ text }: ReceivedMail): string {
  const link = /https?:\/\/\S+#token=\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error(`No link in: ${text}`)
  return link
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('a forgotten password', () => {
  test('by keyboard alone: ask for a link, follow it, choose a new password, sign in with it', async () => {
    const { email, ...member } = await stage.visitSignedIn('/portal/')
    const { page, ...visitor } = await stage.visit()
    visitor.allow(/401/)
    await page.goto('/portal/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter')
    await expect(page.getByLabel('E-mail address')).toBeFocused()
    await expectGoodLooks(page, 'forgotten-password')
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status')).toContainText(`an account with the address ${email}`)
    await expectGoodLooks(page, 'forgotten-password-sent')

    await page.goto(linkIn(await stage.mails.mailTo(email, /Choose a new password/)))
    await expect(page.getByLabel('New password')).toBeFocused()
    expect(page.url()).not.toContain('token')
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('New password')).toHaveAccessibleDescription(/at least 10 characters/)
    await expectGoodLooks(page, 'reset-password')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your new password is set.')).toBeVisible()
    await signIn(page, email, NEW_PASSWORD)
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    visitor.expectNoComplaints()

    // The page of the old session may have noticed by itself.
    await member.page.goto('/portal/keys')
    await expect(member.page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await visitor.close()
    await member.close()
  })

  test('a link that was used says so, and leads to another', async () => {
    const { email, ...member } = await stage.visitSignedIn('/portal/')
    await member.context.request.post('/client/password/forgotten', { data: { email } })
    const link = linkIn(await stage.mails.mailTo(email, /Choose a new password/))
    const { page, ...visitor } = await stage.visit()
    for (const _time of ['first', 'second']) {
      await page.goto('/portal/sign-up')
      await page.goto(link)
      await page.getByLabel('New password').fill(NEW_PASSWORD)
      await page.getByRole('button', { name: 'Set password' }).click()
      if (_time === 'first') await expect(page.getByText('Your new password is set.')).toBeVisible()
    }
    await expect(page.getByRole('alert')).toContainText('This link was used before or is too old')
    await expectGoodLooks(page, 'reset-password-used')
    await page.getByRole('link', { name: 'Send me another link' }).click()
    await expect(page.getByRole('heading', { name: 'Forgotten password' })).toBeVisible()
    await visitor.close()
    await member.close()
  })
})

describe('confirming an address', () => {
  test('who has signed up is reminded on every page, and no more once the link was followed', async () => {
    const { page, email, ...visitor } = await stage.visitSignedIn('/portal/keys')
    await expect(page.getByText(`a mail with a link is on its way to ${email}`)).toBeVisible()
    await expectGoodLooks(page, 'unconfirmed-email')
    await page.getByRole('button', { name: 'Send link again' }).click()
    await expect(page.getByText('The mail is on its way')).toBeVisible()
    await page.goto(linkIn(await stage.mails.mailTo(email, /Confirm your e-mail/)))
    await expect(page.getByRole('heading', { name: 'Confirm your e-mail address' })).toBeVisible()
    expect(page.url()).not.toContain('token')
    await expectGoodLooks(page, 'verify-email')
    await page.getByRole('button', { name: 'Confirm address' }).press('Enter')
    await expect(page.getByRole('status')).toContainText(`${email} is confirmed.`)
    await page.getByRole('link', { name: 'To the overview' }).click()
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
    await expect(page.getByText('on its way to')).toHaveCount(0)
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('in a browser that is not signed in, the link waits for the sign-in, out of the address', async () => {
    const { email, ...member } = await stage.visitSignedIn('/portal/')
    const link = linkIn(await stage.mails.mailTo(email, /Confirm your e-mail/))
    const { page, ...visitor } = await stage.visit()
    visitor.allow(/401/)
    const addresses: string[] = []
    page.on('request', request => addresses.push(request.url()))
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(page.url()).not.toContain('token')
    await signIn(page, email, PASSWORD)
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await expect(page.getByRole('status')).toContainText('is confirmed.')
    const token = link.split('token=')[1] ?? ''
    expect(addresses.filter(address => address.includes(token))).toEqual([])
    visitor.expectNoComplaints()
    await visitor.close()
    await member.close()
  })

  test("another's link confirms nothing, and says why", async () => {
    const other = await stage.visitSignedIn('/portal/')
    const link = linkIn(await stage.mails.mailTo(other.email, /Confirm your e-mail/))
    const { page, ...visitor } = await stage.visitSignedIn('/portal/')
    visitor.allow(/403/)
    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await expect(page.getByRole('alert')).toContainText('This link is for another account')
    await expectGoodLooks(page, 'verify-email-refused')
    visitor.expectNoComplaints()
    await visitor.close()
    await other.close()
  })

  test('a new address is used once its own link is followed', async () => {
    const { page, email, ...visitor } = await stage.visitSignedIn('/portal/account')
    await page.getByRole('button', { name: 'Change address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change e-mail address' })
    await expectGoodLooks(page, 'change-email')
    await dialog.getByLabel('New e-mail address').fill(`new-${email}`)
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Change address' }).click()
    await expect(page.getByText(`follow the link sent to new-${email}`)).toBeVisible()
    await page.goto(linkIn(await stage.mails.mailTo(`new-${email}`)))
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await expect(page.getByRole('status')).toContainText(`new-${email} is confirmed.`)
    await expect(page.getByRole('banner').getByText(`new-${email}`)).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
  })
})

test('an administrator chooses a new password on the pages of the console', async () => {
  const { page, ...visitor } = await stage.visit()
  visitor.allow(/401/)
  await page.goto('/console/')
  await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter')
  // The page before has such a field as well.
  await expect(page.getByRole('heading', { name: 'Forgotten password' })).toBeVisible()
  await page.getByLabel('E-mail address').fill(ADMIN.email)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  const link = linkIn(await stage.mails.mailTo(ADMIN.email, /Choose a new password/))
  expect(new URL(link).pathname).toBe('/console/reset-password')
  await page.goto(link)
  await page.getByLabel('New password').fill(NEW_PASSWORD)
  await expectGoodLooks(page, 'console-reset-password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  await signIn(page, ADMIN.email, NEW_PASSWORD)
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})
