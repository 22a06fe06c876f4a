import { expect } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expectGoodLooks } from './looks.ts'
import { type PortalStage, startPortalStage } from './portal-stage.ts'

let stage: PortalStage
beforeAll(async () => {
  stage = await startPortalStage()
})
afterAll(() => stage.close())

test('an operation is found by words and shown with its parameters, examples and every error', async () => {
  const { page, ...visitor } = await stage.visit()
  await page.goto('/docs')
  await expect(page.getByRole('heading', { name: 'API reference', level: 1 })).toBeVisible()
  await expectGoodLooks(page, 'docs')
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('chat openai')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /Chat with a model/ })
    .press('Enter')
  await expect(
    page.getByRole('heading', { name: 'Chat with a model, in the OpenAI convention' }),
  ).toBeVisible()
  await expect(page).toHaveURL(/#post_v1_chat_completions$/)
  const errors = page.getByRole('table', { name: 'Errors of this operation' })
  for (const [status, type, code] of [
    ['401', 'authentication_error', 'null'],
    ['429', 'rate_limit_exceeded', 'null'],
    ['429', 'insufficient_quota', 'concurrency_limit'],
    ['429', 'upstream_rate_limited', 'upstream_rate_limited'],
    ['404', 'invalid_request_error', 'model_not_found'],
    ['504', 'upstream_timeout', 'null'],
  ]) {
    await expect(
      errors.getByRole('row', { name: new RegExp(`${status}.*${type}.*${code}`) }).first(),
    ).toBeVisible()
  }
  await expect(page.getByRole('region', { name: 'A request in curl' })).toContainText(
    `${stage.gateway.url}/v1/chat/completions`,
  )
  await page.getByRole('tab', { name: 'Python' }).click()
  await expect(page.getByRole('region', { name: 'A request in Python' })).toContainText(
    "os.environ['GOLDWEIGHT_API_KEY']",
  )
  await expectGoodLooks(page, 'docs-operation')

  await page.goBack()
  await expect(page.getByRole('heading', { name: 'API reference', level: 1 })).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})

test('the request that is shown works as it is', async () => {
  const { page, ...visitor } = await stage.visit()
  await page.goto('/docs#get_v1_catalog')
  await page.getByRole('tab', { name: 'TypeScript' }).click()
  const code = await page.getByRole('region', { name: 'A request in TypeScript' }).innerText()
  expect(code).toContain(`fetch('${stage.gateway.url}/v1/catalog')`)
  expect((await fetch(`${stage.gateway.url}/v1/catalog`)).status).toBe(200)
  await visitor.close()
})

test('on a phone the operations are behind a button, and one that is not there is said not to be', async () => {
  const { page, ...visitor } = await stage.visit({ width: 390 })
  await page.goto('/docs/')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('revoke')
  await expectGoodLooks(page, 'docs-menu')
  await page.setViewportSize({ width: 390, height: 844 })
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Revoke a key/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Revoke a key' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto('/docs/#nothing')
  await expect(page.getByRole('heading', { name: 'There is no such operation' })).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})
