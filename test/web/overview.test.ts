import { expect } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { askChat } from '#test/support/ask-chat.ts'
import { answerWell } from '#test/support/upstream.ts'
import { expectGoodLooks } from './looks.ts'
import { MODEL, type PortalStage, startPortalStage } from './portal-stage.ts'
import { refuse } from './refuse.ts'
import { postUsage } from './usage-course.ts'

let stage: PortalStage
beforeAll(async () => {
  stage = await startPortalStage()
})
afterAll(() => stage.close())

const ask = (token: string) => askChat({ url: stage.gateway.url, token, model: MODEL })

test('a newcomer is led to the first answer, and sees each step ticked off as it happens', async () => {
  const { page, accountId, ...visitor } = await stage.visitSignedIn({ credits: 0 })
  await expect(page.getByRole('heading', { name: 'Three steps to the first answer' })).toBeVisible()
  await expect(page.getByText('None yet')).toBeVisible()
  await expect(page.getByRole('tabpanel', { name: 'curl' })).toContainText(stage.gateway.url)
  await expectGoodLooks(page, 'overview-newcomer')

  await page.getByRole('button', { name: 'New key' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('website')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  const token = String(await page.evaluate('navigator.clipboard.readText()'))
  await dialog.getByRole('button', { name: 'I have copied the key' }).click()
  await expect(page.getByRole('img', { name: 'Step 1, done' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'Step 2, done' })).toHaveCount(0)

  const grant = { amount: 20, kind: 'grant', note: 'Welcome' }
  await stage.gateway.admin.call('POST', `/admin/accounts/${accountId}/credits`, grant)
  await expect(page.getByRole('img', { name: 'Step 2, done' })).toBeVisible({ timeout: 10_000 })
  await ask(token)
  await expect(page.getByRole('img', { name: 'Step 3, done' })).toBeVisible({ timeout: 10_000 })
  await expect(page.getByRole('heading', { name: 'You have had your first answer' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Requests, newest first' })).toContainText(MODEL)
  await expect(page.getByRole('table', { name: 'What runs on your keys' })).toContainText('1 of 600 in 60 s')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Latest requests' })).toBeVisible()
  await expect(page.getByText('You have had your first answer')).toHaveCount(0)
  visitor.expectNoComplaints()
  await visitor.close()
})

test('the balance, a month of spending, what runs now and what ran last are seen at a glance, and follow what happens', async () => {
  const { page, context, accountId, ...visitor } = await stage.visitSignedIn({ credits: 1.35 })
  const made = []
  for (const name of ['website', 'notebook'])
    made.push(await (await context.request.post('/client/keys', { data: { name } })).json())
  const keyIds = made.map(({ id }) => id)
  await postUsage(stage, { accountId, keyIds, nowMs: Date.now() })
  await page.goto('/portal/')
  await expect(page.getByText('Running low', { exact: true })).toBeVisible()
  await expect(page.getByRole('img', { name: /^1\.334344 credits in 30 days/ })).toBeVisible()
  await expect(page.locator('.recharts-bar-rectangle').first()).toBeVisible()

  let answer = () => {}
  stage.upstream.respond(async (request, response) => {
    await new Promise<void>(resolve => {
      answer = resolve
    })
    answerWell(request, response)
  })
  const running = ask(made[1].token)
  const notebook = page.getByRole('row', { name: /notebook/ }).first()
  await expect(notebook).toContainText('1 of 32', { timeout: 10_000 })
  await expectGoodLooks(page, 'overview')
  answer()
  await running
  await expect(notebook).toContainText('0 of 32', { timeout: 10_000 })
  const latest = page.getByRole('table', { name: 'Requests, newest first' })
  await expect(latest.getByRole('row').nth(1)).toContainText('15', { timeout: 10_000 })
  await latest.getByRole('link').first().press('Enter')
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  await page.getByRole('link', { name: 'API reference' }).click()
  await expect(page).toHaveURL(/\/docs\//)
  stage.upstream.respond(answerWell)
  visitor.expectNoComplaints()
  await visitor.close()
})

test('a part that can not be loaded does not take the rest along', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  visitor.allow(/503/)
  let answers = false
  await page.route('**/client/requests?*', route => (answers ? route.fallback() : refuse(route)))
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Your requests could not be loaded', {
    timeout: 15_000,
  })
  await expect(page.getByText('Credits left')).toBeVisible()
  await expectGoodLooks(page, 'overview-failed')
  answers = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Three steps to the first answer' })).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})
