import { expect } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { answerWell, beginSse, chatChunk, event, usageChunk } from '#test/support/upstream.ts'
import { expectGoodLooks } from './looks.ts'
import { MODEL, type PortalStage, startPortalStage } from './portal-stage.ts'
import type { Visitor } from './visitor.ts'

let stage: PortalStage
beforeAll(async () => {
  stage = await startPortalStage()
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.respond(answerWell))

async function openPlayground(
  { page, context }: Pick<Visitor, 'page' | 'context'>,
  limits?: object,
): Promise<void> {
  const made = await context.request.post('/client/keys', { data: { name: 'notebook' } })
  const { id } = await made.json()
  if (limits) await stage.gateway.admin.call('PATCH', `/admin/keys/${id}`, { limits })
  await page.goto('/portal/playground')
  await expect(page.getByLabel('Key', { exact: true })).toContainText('notebook')
}

test('by keyboard: a message is answered as it is written, weighed to the token, and given as code', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  await openPlayground({ page, ...visitor })
  await expectGoodLooks(page, 'playground-empty')
  const written = Promise.withResolvers<void>()
  stage.upstream.respond(async ({ body }, response) => {
    expect(body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is gold?' },
    ])
    beginSse(response, [chatChunk({ content: 'A metal ' })])
    await written.promise
    for (const data of [chatChunk({ content: 'that keeps.' }), chatChunk({}, 'stop'), usageChunk()])
      response.write(event(data))
    response.end(event('[DONE]'))
  })
  await page.locator('summary', { hasText: 'Instructions' }).press('Enter')
  await page.getByLabel('Instructions').fill('Be brief.')
  await page.getByRole('textbox', { name: 'Message' }).focus()
  await page.keyboard.type('What is gold?')
  await page.keyboard.press('Enter')
  const log = page.getByRole('log', { name: 'Conversation' })
  await expect(log).toContainText('A metal')
  await expect(log).toContainText('about 2 tokens so far · about 0.00002 credits')
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  written.resolve()
  await expect(log).toContainText('A metal that keeps.')
  await expect(log).toContainText('15 tokens · 0.00007 credits')
  await expect(page.getByText('99.99993')).toBeVisible()
  await expectGoodLooks(page, 'playground')

  await page.getByRole('button', { name: 'Get the code' }).click()
  const dialog = page.getByRole('dialog', { name: 'This request as code' })
  await expect(dialog.getByRole('tabpanel')).toContainText('{"role": "system", "content": "Be brief."}')
  await expect(dialog.getByRole('tabpanel')).toContainText('A metal that keeps.')
  await expect(dialog.getByRole('tabpanel')).toContainText(MODEL)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Begin anew' }).click()
  await expect(log).not.toContainText('gold')
  visitor.expectNoComplaints()
  await visitor.close()
})

test('Stop cancels the request upstream, and says what was charged for what had been written', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  await openPlayground({ page, ...visitor })
  stage.upstream.respond((_request, response) =>
    beginSse(response, [chatChunk({ content: 'Once upon a time' })]),
  )
  await page.getByRole('textbox', { name: 'Message' }).fill('A tale')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Once upon a time')).toBeVisible()
  const before = stage.upstream.cancelled.length
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText(/Stopped · \d+ tokens \(estimated\)/)).toBeVisible()
  expect(stage.upstream.cancelled.length).toBe(before + 1)
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  await visitor.close()
})

test.each([
  ['the rate', { requests: 1 }, "The key's request rate is reached", 'notebook may send 1 requests'],
  [
    'the requests in flight',
    { concurrency: 1 },
    "All of the key's requests are in flight",
    'running at one time',
  ],
])('a refusal by %s of the key says so, and what to do', async (_control, limits, title, advice) => {
  const { page, ...visitor } = await stage.visitSignedIn()
  visitor.allow(/429/)
  await openPlayground({ page, ...visitor }, limits)
  stage.upstream.respond((_request, response) => beginSse(response, [chatChunk({ content: 'Busy' })]))
  const other = await visitor.context.newPage()
  await other.goto('/portal/playground')
  await other.getByRole('textbox', { name: 'Message' }).fill('First')
  await other.keyboard.press('Enter')
  await expect(other.getByText('Busy')).toBeVisible()
  await page.getByRole('textbox', { name: 'Message' }).fill('Second')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(title)).toBeVisible()
  await expect(page.getByText(advice)).toBeVisible()
  await visitor.close()
})

test('an account with nothing left is told so', async () => {
  const { page, ...visitor } = await stage.visitSignedIn({ credits: 0 })
  visitor.allow(/429/)
  await openPlayground({ page, ...visitor })
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('The credits of your account are used up')).toBeVisible()
  await expectGoodLooks(page, 'playground-refused')
  await page.getByRole('link', { name: 'Get credits' }).click()
  await expect(page).toHaveTitle('Credits · Goldweight')
  visitor.expectNoComplaints()
  await visitor.close()
})

test('a stream that breaks off keeps what came, and says that it is not all', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  await openPlayground({ page, ...visitor })
  stage.upstream.respond((_request, response) => {
    beginSse(response, [chatChunk({ content: 'Half a' })])
    setTimeout(() => response.destroy(), 200)
  })
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('There is no answer')).toBeVisible()
  await expect(page.getByText('Half a')).toBeVisible()
  await visitor.close()
})

test('without a key the playground leads to where one is made', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  await page.getByRole('link', { name: 'Playground', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'The playground needs a key' })).toBeVisible()
  await page.getByRole('link', { name: 'Make a key' }).click()
  await expect(page.getByRole('heading', { name: 'Keys', level: 1 })).toBeVisible()
  await visitor.close()
})
