import { expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { makeCaller, makeModel } from '#test/support/admin-client.ts'
import { askChat } from '#test/support/ask-chat.ts'
import { type ConsoleStage, startConsoleStage } from './console-stage.ts'
import { expectGoodLooks } from './looks.ts'
import { MODEL } from './portal-stage.ts'

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Of buttons, where `#2b4fd8` was chosen. */
const FILL = 'rgb(43, 79, 216)'
const FALLS_BACK = 'acme/falls-back'

let stage: ConsoleStage
let accountId: string

async function ask(token: string, model: string): Promise<string> {
  return (await askChat({ url: stage.gateway.url, token, model, content: 'A secret of mine' })).requestId
}

beforeAll(async () => {
  stage = await startConsoleStage()
  const { admin } = stage.gateway
  const routes = [{ baseUrl: 'http://127.0.0.1:1/v1' }, { baseUrl: stage.upstream.baseUrl }]
  await makeModel(admin, FALLS_BACK, { routes })
})
afterAll(() => stage.close())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

describe('requests', () => {
  test('are found by whose they are and how they ended, and each tells its whole story but what was said', async () => {
    const caller = await makeCaller(stage.gateway.admin)
    accountId = caller.accountId
    await ask(caller.token, MODEL)
    await ask(caller.token, 'no-such-model')
    const fellBack = await ask(caller.token, FALLS_BACK)
    const { page, ...visitor } = await stage.visitConsole('/requests')
    const rows = page.getByRole('table', { name: 'Requests, newest first' }).getByRole('row')
    await expect(rows).toHaveCount(4)
    await expectGoodLooks(page, 'console-requests')

    await page.getByLabel('Status').selectOption('failed')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(1)).toContainText('404')
    await page.getByLabel('Account id').fill(accountId)
    await page.getByLabel('Account id').press('Enter')
    await expect(page).toHaveURL(new RegExp(`account=${accountId}`))
    await page.getByLabel('Account id').fill('acc_nobody')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByText('No request fits')).toBeVisible()
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect(rows).toHaveCount(4)

    await page.getByLabel('Request id').fill(fellBack)
    await page.getByLabel('Request id').press('Enter')
    await expect(rows).toHaveCount(2)
    await rows.nth(1).getByRole('link').first().click()
    await expect(heading(page, 'Request')).toBeVisible()
    const attempts = page.getByRole('table', { name: 'Upstreams that were asked' })
    await expect(attempts.getByRole('row')).toHaveCount(3)
    await expect(attempts.getByRole('row').nth(1)).toContainText('Failed')
    await expect(attempts.getByRole('row').nth(2)).toContainText('Answered')
    await expect(page.getByText('Charged, rounded up to a millionth')).toBeVisible()
    await expect(page.getByText('A secret of mine')).toHaveCount(0)
    await expectGoodLooks(page, 'console-request')
    visitor.expectNoComplaints()
    await visitor.close()
  })
})

describe('the audit log', () => {
  test('tells who changed what, and what it was before', async () => {
    const path = `/admin/models/${encodeURIComponent(MODEL)}`
    await stage.gateway.admin.call('PATCH', path, {
      name: 'Scale one',
      weights: { input: 9, cache_read: 1, cache_write: 1, output: 9 },
    })
    const { page, ...visitor } = await stage.visitConsole('/audit')
    await expect(page.getByRole('row', { name: /model.update/ }).first()).toBeVisible()
    await expectGoodLooks(page, 'console-audit')
    await page.getByLabel('Action').fill('model.update')
    await page.getByLabel('Of what').fill(MODEL)
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByRole('table', { name: 'Changes, newest first' }).getByRole('row')).toHaveCount(2)
    await page.getByRole('button', { name: `Changes: model.update of ${MODEL}` }).press('Enter')
    const row = page.getByRole('dialog').getByRole('row', { name: /weights.output/ })
    await expect(row).toContainText('10')
    await expect(row).toContainText('9')
    await expectGoodLooks(page, 'console-audit-change')
    await page.keyboard.press('Escape')
    await page.getByLabel('By whom').selectOption({ index: 1 })
    await expect(page).toHaveURL(/actor=adm_/)
    await page.getByLabel('Action').fill('nothing.like.it')
    await page.getByLabel('Action').press('Enter')
    await expect(page.getByText('No change fits')).toBeVisible()
    visitor.expectNoComplaints()
    await visitor.close()
  })
})

describe('settings', () => {
  test('are saved group by group, and what is wrong is said at its field', async () => {
    const { page, ...visitor } = await stage.visitConsole('/settings')
    const limits = page.getByRole('group', { name: 'Limits of new keys' })
    await limits.getByLabel('Requests').fill('0')
    const save = page.locator('section', { has: limits }).getByRole('button', { name: 'Save' })
    await save.click()
    await expect(limits.getByLabel('Requests')).toHaveAccessibleDescription(/Give a whole number from 1 /)
    const prices = page.getByRole('group', { name: 'From list prices to weights' })
    await prices.getByLabel('Margin').fill('')
    await page.locator('section', { has: prices }).getByRole('button', { name: 'Save' }).click()
    await expect(prices.getByLabel('Margin')).toHaveAccessibleDescription(/Give a number of percent/)
    const low = page.getByRole('group', { name: 'Low balances' })
    await low.getByLabel('A balance is low below').fill(' ')
    await page.locator('section', { has: low }).getByRole('button', { name: 'Save' }).click()
    await expect(low.getByLabel('A balance is low below')).toHaveAccessibleDescription(/from 0 to 100/)
    await limits.getByLabel('Requests').fill('120')
    await save.click()
    await expect(page.getByText('Settings saved')).toBeVisible()
    // What another did in the meantime to a field beside it is not taken back.
    await stage.gateway.admin.call('PATCH', '/admin/settings', { default_limits: { concurrency: 7 } })
    await limits.getByLabel('Requests').fill('130')
    await save.click()
    const customers = page.getByRole('group', { name: 'Customers' })
    await customers.getByLabel('Signing up').selectOption('closed')
    await page.locator('section', { has: customers }).getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => stage.gateway.admin.call('GET', '/admin/settings'))
      .toMatchObject({
        sign_up: 'closed',
        default_limits: { requests: 130, window_seconds: 60, concurrency: 7 },
      })
    await expectGoodLooks(page, 'console-settings')
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('the name, logo and colour of the service are previewed, and worn by shell and doors once saved', async () => {
    const { page, ...visitor } = await stage.visitConsole('/settings')
    const branding = page.getByRole('group', { name: 'Branding' })
    await branding.getByLabel('What the service is called').fill('Acme Intelligence')
    await branding.getByLabel('Accent colour', { exact: true }).fill('#2b4fd8')
    const logo = branding.getByLabel('Logo')
    await logo.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await expect(branding.getByText('Choose a PNG or WebP picture')).toBeVisible()
    await logo.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PICTURE })
    const preview = branding.getByRole('region', { name: 'Preview' })
    await expect(preview.getByText('Acme Intelligence')).toHaveCount(2)
    await expect(preview.locator('img')).toHaveCount(2)
    await page.locator('section', { has: branding }).getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveTitle('Settings · Console · Acme Intelligence')
    await expect(page.getByRole('button', { name: 'Save' }).first()).toHaveCSS('background-color', FILL)
    await expectGoodLooks(page, 'console-settings-branded')
    visitor.expectNoComplaints()
    await visitor.close()

    const stranger = await stage.visit()
    await stranger.page.goto('/portal/sign-in')
    await expect(stranger.page).toHaveTitle('Sign in · Acme Intelligence')
    const button = stranger.page.getByRole('button', { name: 'Sign in' })
    await expect(button).toHaveCSS('background-color', FILL)
    await expect(stranger.page.getByRole('banner').locator('img')).toHaveJSProperty('naturalWidth', 1)
    await expectGoodLooks(stranger.page, 'door-branded')
    stranger.expectNoComplaints()
    await stranger.close()
    await stage.gateway.admin.call('PATCH', '/admin/settings', {
      branding: { name: 'Goldweight', logo: null, colour: null },
    })
  })

  test('that the configuration file manages, and those of a viewer, are shown and can not be changed', async () => {
    const { page, ...visitor } = await stage.visitConsole('/settings', { role: 'viewer' })
    await expect(page.getByText('Owners alone change settings.')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Customers' }).getByLabel('Signing up')).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
    await visitor.close()

    const owner = await stage.visitConsole('/')
    await owner.page.route('**/admin/managed-items', route =>
      route.fulfill({
        json: {
          object: 'list',
          data: [{ kind: 'setting', name: 'sign_up', item_id: 'sign_up' }],
          next_cursor: null,
        },
      }),
    )
    await owner.page.goto('/console/settings')
    await expect(owner.page.getByText('Configuration file')).toBeVisible()
    await expect(owner.page.getByRole('group', { name: 'Customers' }).getByLabel('Signing up')).toBeDisabled()
    await expect(
      owner.page.getByRole('group', { name: 'Administrators' }).getByRole('checkbox'),
    ).toBeEnabled()
    owner.expectNoComplaints()
    await owner.close()
  })
})
