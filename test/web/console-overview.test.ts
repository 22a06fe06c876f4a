import { expect } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { makeCaller } from '#test/support/admin-client.ts'
import { askChat } from '#test/support/ask-chat.ts'
import { answerWell } from '#test/support/upstream.ts'
import { type ConsoleStage, startConsoleStage } from './console-stage.ts'
import { expectGoodLooks } from './looks.ts'
import { MODEL } from './portal-stage.ts'

let stage: ConsoleStage
beforeAll(async () => {
  stage = await startConsoleStage()
})
afterAll(() => stage.close())

async function ask(token: string): Promise<number> {
  return (await askChat({ url: stage.gateway.url, token, model: MODEL })).status
}

/** A node that was heard of ten minutes ago, and did not say that it ends. */
async function loseNode(): Promise<void> {
  const { storage } = stage.gateway.app
  const row = { id: 'nod_lost', name: 'lost-node', address: '10.0.0.7:8080', version: '0.0.1' }
  const state = { state: 'serving', in_flight: 7, redis: null, memory_bytes: 1, busy_percent: 1 } as const
  const lastSeenAt = Date.now() - 600_000
  const query = storage.db
    .insertInto('service_nodes')
    .values({ ...row, ...state, started_at: lastSeenAt, last_seen_at: lastSeenAt })
  await storage.commit([{ query }])
}

test('what needs attention comes first: an upstream that throttles, an account that has run out', async () => {
  const { page, ...visitor } = await stage.visitConsole('/')
  await expect(page.getByText('All is well')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No requests in this time' })).toBeVisible()
  await expectGoodLooks(page, 'console-overview-empty')

  const { token, accountId } = await makeCaller(stage.gateway.admin, { credits: 0.00005 })
  expect(await ask(token)).toBe(200)
  stage.upstream.respond((_request, response) => {
    response.writeHead(429, { 'retry-after': '600', 'content-type': 'application/json' })
    response.end('{"error":{"message":"slow down"}}')
  })
  expect(await ask((await makeCaller(stage.gateway.admin)).token)).toBe(429)
  for (let count = 0; count < 2; count++) await ask((await makeCaller(stage.gateway.admin)).token)
  stage.upstream.respond(answerWell)
  await stage.gateway.app.domains.health.flush()
  await loseNode()
  await page.reload()
  const concerns = page.getByRole('list', { name: 'What needs attention' })
  await expect(concerns).toContainText(`${MODEL} upstream 0 is throttled`)
  await expect(concerns).toContainText(`${MODEL} upstream 0 is ill`)
  await expect(concerns).toContainText('3 failed; most were throttled')
  await expect(concerns).toContainText('An account has used up its credits')
  await expect(page.getByRole('tab', { name: /^Requests/ })).toContainText('4')
  await expect(page.getByRole('table', { name: /Usage by provider/ })).toContainText(`${MODEL} upstream 0`)
  await expect(page.getByText('worth $0.00007')).toBeVisible()
  const nodes = page.getByRole('table', { name: 'Nodes of this service' })
  await expect(nodes.getByRole('row', { name: /answers you/ })).toContainText('Serves')
  await expect(nodes.getByRole('row', { name: /lost-node/ })).toContainText('Gone')
  await expect(concerns).toContainText('The node lost-node is gone')
  await expectGoodLooks(page, 'console-overview')

  await page.getByRole('tab', { name: /^Error rate/ }).press('Enter')
  await expect(page).toHaveURL(/show=errors/)
  await page.getByLabel('Time').selectOption({ value: '7d' })
  await expect(page).toHaveURL(/range=7d/)
  await expect(page.getByRole('img', { name: /Error rate, day by day/ })).toBeVisible()
  await concerns.getByRole('link', { name: /An account has used up/ }).click()
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible()
  await page.goBack()
  await concerns.getByRole('link', { name: /upstream 0 is ill/ }).click()
  await expect(page.getByRole('heading', { name: `${MODEL} upstream 0`, level: 1 })).toBeVisible()
  await page.goto(`/console/accounts/${accountId}`)
  await expect(
    page.getByText('used 0.00002 more than there were. What comes in next pays that first.'),
  ).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})

test('a state that can not be loaded is said to be, and comes when it is asked for again', async () => {
  const { page, ...visitor } = await stage.visitConsole('/account')
  visitor.allow(/503/)
  const error = { message: 'The service is resting.', type: 'service_unavailable', code: null }
  await page.route('**/admin/overview?*', route => route.fulfill({ status: 503, json: { error } }))
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByText('The state of the service could not be loaded')).toBeVisible({
    timeout: 15_000,
  })
  await expectGoodLooks(page, 'console-overview-failed')
  await page.unroute('**/admin/overview?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Now' })).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})
