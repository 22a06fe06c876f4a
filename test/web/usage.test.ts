import { text } from 'node:stream/consumers'
import { expect, type Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { formatMicros } from '#web/ui/credits.ts'
import { expectGoodLooks } from './looks.ts'
import { MODEL, type PortalStage, startPortalStage } from './portal-stage.ts'
import { refuse } from './refuse.ts'
import { postUsage } from './usage-course.ts'
import type { Visitor } from './visitor.ts'

let stage: PortalStage
beforeAll(async () => {
  stage = await startPortalStage()
})
afterAll(() => stage.close())

async function makeKeys({ context }: Pick<Visitor, 'context'>): Promise<string[]> {
  const made = []
  for (const name of ['website', 'notebook']) {
    made.push((await (await context.request.post('/client/keys', { data: { name } })).json()).id)
  }
  return made
}

const figure = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })

test('a month is looked at by model and by key, as charts, as a table, and as a file, all with the same numbers', async () => {
  const { page, context, accountId, ...visitor } = await stage.visitSignedIn()
  const keyIds = await makeKeys({ context })
  const rows = await postUsage(stage, { accountId, keyIds, nowMs: Date.now() })
  const spent = rows.reduce((sum, row) => sum + row.charge_micros, 0n)
  await page.getByRole('link', { name: 'Usage', exact: true }).click()
  await expect(figure(page, 'Credits')).toContainText(formatMicros(spent))
  await expect(figure(page, 'Requests')).toContainText('174')
  await expect(figure(page, 'Error rate')).toContainText('9.2%16 failed')
  await expect(page.getByRole('img', { name: /^Credits by model, day by day/ })).toBeVisible()
  await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible()
  await expectGoodLooks(page, 'usage')

  await page.keyboard.press('Tab')
  await figure(page, 'Credits').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const tokens = page.getByRole('img', { name: /^Tokens, day by day/ })
  await expect(tokens).toBeVisible()
  for (const bucket of ['Input', 'Cache read', 'Cache write', 'Output'])
    await expect(page.getByRole('listitem').filter({ hasText: bucket })).toBeVisible()
  await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible()
  await expectGoodLooks(page, 'usage-tokens')
  await figure(page, 'Latency').click()
  await expect(page.locator('.recharts-line-curve').first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('img', { name: /^Latency on average by model/ })).toBeVisible()

  await figure(page, 'Credits').click()
  await page.getByRole('button', { name: /as table$/ }).click()
  await expect(page.getByRole('table', { name: 'Credits by day' }).getByRole('row')).toHaveCount(31)
  await expectGoodLooks(page, 'usage-table')
  await page.getByLabel('Group by').selectOption('Key')
  const byKey = page.getByRole('table', { name: /^Usage by key/ })
  await expect(byKey.getByRole('row')).toHaveCount(3)
  await byKey.getByRole('link', { name: 'notebook' }).click()
  const own = rows.filter(row => row.key_id === keyIds[1])
  await expect(figure(page, 'Requests')).toContainText(String(own.length))
  await expect(page.getByLabel('Key', { exact: true })).toHaveValue(keyIds[1] ?? '')

  await page.getByLabel('Model', { exact: true }).selectOption(MODEL)
  const narrow = own.filter(row => row.model === MODEL)
  await expect(figure(page, 'Requests')).toContainText(String(narrow.length))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const [head = '', ...lines] = (await text(await file.createReadStream())).trim().split(/\r?\n/)
  const column = head.split(',').indexOf('requests')
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[column]), 0)).toBe(narrow.length)
  visitor.expectNoComplaints()
  await visitor.close()
})

test('any days can be chosen, and hours while they are few', async () => {
  const { page, context, accountId, ...visitor } = await stage.visitSignedIn()
  const rows = await postUsage(stage, {
    accountId,
    keyIds: await makeKeys({ context }),
    nowMs: Date.now(),
    days: 3,
  })
  await page.goto('/portal/usage?range=24h')
  await expect(page.getByLabel('Steps')).toHaveValue('hour')
  await expect(page.getByRole('img', { name: /hour by hour/ })).toBeVisible()
  await page.getByLabel('Time').selectOption('Last 90 days')
  await expect(page.getByLabel('Steps').getByRole('option')).toHaveText(['Days'])
  await expect(figure(page, 'Requests')).toContainText(String(rows.length))
  await page.getByLabel('Time').selectOption('Days of my choice')
  const today = await page.getByLabel('Last day').inputValue()
  await page.getByLabel('First day').fill(today)
  await page.getByLabel('Steps').selectOption('Hours')
  const midnight = Number(await page.evaluate(`Date.parse('${today}T00:00:00')`))
  const ofToday = rows.filter(row => row.created_at >= midnight)
  await expect(figure(page, 'Requests')).toContainText(`Requests${ofToday.length}`)
  await page.getByLabel('First day').fill('2020-01-01')
  await expect(page.getByText('366 days can be shown at a time.')).toBeVisible()
  await expectGoodLooks(page, 'usage-days')
  visitor.expectNoComplaints()
  await visitor.close()
})

test('without requests the page says how to get the first; it comes by itself, and failures say what failed', async () => {
  const { page, context, accountId, ...visitor } = await stage.visitSignedIn()
  visitor.allow(/503/)
  let answers = false
  await page.route('**/client/usage?*', route => (answers ? route.fallback() : refuse(route)))
  await page.getByRole('link', { name: 'Usage', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Your usage could not be loaded', { timeout: 15_000 })
  await expectGoodLooks(page, 'usage-failed')
  answers = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible()
  await expectGoodLooks(page, 'usage-empty')
  await page.getByLabel('Group by').selectOption('Nothing')
  await postUsage(stage, { accountId, keyIds: await makeKeys({ context }), nowMs: Date.now(), days: 1 })
  await expect(figure(page, 'Requests')).toContainText('6', { timeout: 20_000 })
  visitor.expectNoComplaints()
  await visitor.close()
})
