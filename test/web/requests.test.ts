import { text } from 'node:stream/consumers'
import { expect } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { makeModel } from '#test/support/admin-client.ts'
import { askChat } from '#test/support/ask-chat.ts'
import { answerWell, chatReply, sendJson } from '#test/support/upstream.ts'
import { expectGoodLooks } from './looks.ts'
import { MODEL, type PortalStage, startPortalStage } from './portal-stage.ts'
import { refuse } from './refuse.ts'
import { postUsage } from './usage-course.ts'
import type { Visitor } from './visitor.ts'

const TWICE = 'acme/served-twice'

let stage: PortalStage
beforeAll(async () => {
  stage = await startPortalStage()
  await makeModel(stage.gateway.admin, TWICE, {
    routes: [{ baseUrl: stage.upstream.baseUrl }, { baseUrl: stage.upstream.baseUrl }],
    weights: { input: 0.15, cache_read: 0.075, cache_write: 0.15, output: 0.6 },
  })
})
afterAll(() => stage.close())

async function makeKey({ context }: Pick<Visitor, 'context'>, name: string) {
  const reply = await context.request.post('/client/keys', { data: { name } })
  const { id, token } = await reply.json()
  return { id: String(id), token: String(token) }
}

const ask = (token: string, model: string) =>
  askChat({ url: stage.gateway.url, token, model, headers: { 'x-request-id': 'mine-7' } })

test('a request is listed as it comes, and its receipt can be checked to the millionth of a credit', async () => {
  const { page, context, ...visitor } = await stage.visitSignedIn({ credits: 5 })
  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible()
  await expectGoodLooks(page, 'requests-empty')

  const { token } = await makeKey({ context }, 'website')
  let calls = 0
  stage.upstream.respond((request, response) => {
    if (++calls === 1) return sendJson(response, { error: { message: 'Overloaded' } }, 500)
    const usage = {
      prompt_tokens: 1_234,
      completion_tokens: 56,
      prompt_tokens_details: { cached_tokens: 200 },
    }
    return sendJson(response, chatReply('Hello', { model: String(request.body.model), usage }))
  })
  await ask(token, TWICE)
  stage.upstream.respond(answerWell)
  const row = page.getByRole('row', { name: new RegExp(TWICE) })
  await expect(row).toContainText('0.000204', { timeout: 10_000 })
  await row.getByRole('link').press('Enter')

  await expect(page.getByRole('heading', { name: 'Request', exact: true })).toBeVisible()
  const receipt = page.getByRole('table', { name: 'Counts and weights of the charge' })
  for (const [item, ...texts] of [
    ['Input tokens', '1,034', '× 0.15', '÷ 1,000,000', '= 0.0001551'],
    ['Cache read tokens', '200', '× 0.075', '÷ 1,000,000', '= 0.000015'],
    ['Cache write tokens', '0', '× 0.15', '÷ 1,000,000', '= 0'],
    ['Output tokens', '56', '× 0.6', '÷ 1,000,000', '= 0.0000336'],
  ] as const) {
    const cells = receipt.getByRole('row', { name: item }).getByRole('cell')
    await expect(cells.locator('span.min-w-0')).toHaveText(texts)
  }
  await expect(page.getByText('0.0002037', { exact: true })).toBeVisible()
  await expect(page.getByText('0.000204', { exact: true })).toBeVisible()
  await expect(page.getByText('The counts are those that the upstream reported.')).toBeVisible()
  await expect(page.getByText('It left a balance of 4.999796')).toBeVisible()
  await expect(page.getByText('mine-7')).toBeVisible()
  const attempts = page.getByRole('table', { name: 'Upstreams that were asked' })
  await expect(attempts.getByRole('row')).toHaveCount(3)
  await expect(attempts.getByRole('row', { name: /^1\./ })).toContainText('Failed')
  await expect(attempts.getByRole('row', { name: /^2\./ })).toContainText('Answered')
  await expectGoodLooks(page, 'request')
  visitor.expectNoComplaints()
  await visitor.close()
})

test('requests are found by how they ended, by model, key and day; the address keeps what was looked for', async () => {
  const { page, context, accountId, ...visitor } = await stage.visitSignedIn()
  const keyIds = [(await makeKey({ context }, 'website')).id, (await makeKey({ context }, 'notebook')).id]
  const rows = await postUsage(stage, { accountId, keyIds, nowMs: Date.now(), days: 5 })
  await page.goto('/portal/requests')
  const table = page.getByRole('table', { name: 'Requests, newest first' })
  await expect(table.getByRole('row')).toHaveCount(21)
  await expectGoodLooks(page, 'requests')
  await page.getByRole('button', { name: 'Older' }).press('Enter')
  await expect(table.getByRole('row')).toHaveCount(11)
  await page.getByRole('button', { name: 'Newer' }).click()
  await expect(table.getByRole('row')).toHaveCount(21)

  await page.getByLabel('Status').selectOption('Failed')
  const failed = rows.filter(row => row.status === 'failed')
  await expect(table.getByRole('row')).toHaveCount(failed.length + 1)
  await page.reload()
  await expect(table.getByRole('row')).toHaveCount(failed.length + 1)
  await table.getByRole('link').first().click()
  await expect(page.getByText('Nothing was charged: a request that fails costs nothing.')).toBeVisible()
  await expectGoodLooks(page, 'request-failed')
  await page.goBack()

  await page.getByLabel('Status').selectOption('Any status')
  await page.getByLabel('Model').selectOption(MODEL)
  await page.getByLabel('Key', { exact: true }).selectOption({ label: await optionOf('notebook') })
  const narrow = rows.filter(row => row.model === MODEL && row.key_id === keyIds[1])
  await expect(table.getByRole('row')).toHaveCount(narrow.length + 1)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  expect((await text(await file.createReadStream())).trim().split('\n')).toHaveLength(narrow.length + 1)
  await page.getByLabel('Last day').fill('2020-01-01')
  await expect(page.getByRole('heading', { name: 'No request fits' })).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()

  async function optionOf(name: string): Promise<string> {
    const options = await page.getByLabel('Key', { exact: true }).getByRole('option').allTextContents()
    return options.find(option => option.startsWith(name)) ?? ''
  }
})

test('what can not be loaded is said to be, and a request that is not one’s own is not there', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  visitor.allow(/503|404/)
  await page.route('**/client/requests?*', refuse)
  await page.route('**/client/requests', refuse)
  await page.goto('/portal/requests')
  await expect(page.getByRole('alert')).toContainText('Your requests could not be loaded', {
    timeout: 15_000,
  })
  await page.goto('/portal/requests/req_of_nobody')
  await expect(page.getByRole('heading', { name: 'There is no such request' })).toBeVisible()
  await expectGoodLooks(page, 'request-missing')
  visitor.expectNoComplaints()
  await visitor.close()
})
