import { expect } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { WEIGHTS } from '#test/support/admin-client.ts'
import { expectGoodLooks } from './looks.ts'
import { type PortalStage, startPortalStage } from './portal-stage.ts'

const FURTHER_MODELS = [
  {
    id: 'acme/thinker-2-large',
    name: 'Thinker 2 Large',
    description: 'Thinks for as long as it takes. For hard questions, and for the few that are worth it.',
    owned_by: 'Acme',
    context_window: 200_000,
    max_output_tokens: 64_000,
    capabilities: ['tools', 'vision', 'reasoning'],
    weights: { input: 3, cache_read: 0.3, cache_write: 3.75, output: 15 },
  },
  {
    id: 'acme/embed-small',
    name: 'Embed Small',
    owned_by: 'Acme',
    context_window: 8_192,
    endpoints: ['embeddings'],
    weights: { input: 0.02, cache_read: 0.02, cache_write: 0.02, output: 0 },
  },
  { id: 'other/old', name: 'Old One', owned_by: 'Other', deprecated: true, weights: WEIGHTS },
]

let stage: PortalStage
beforeAll(async () => {
  stage = await startPortalStage()
  const { data } = await stage.gateway.admin.call<{ data: { id: string }[] }>('GET', '/admin/providers')
  const routes = [{ provider_id: data[0]?.id, upstream_model: 'upstream-model' }]
  for (const model of FURTHER_MODELS)
    await stage.gateway.admin.call('POST', '/admin/models', { ...model, routes })
})
afterAll(() => stage.close())

test('the catalogue is searched and filtered, and the address keeps what was looked for', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  await page.getByRole('link', { name: 'Models' }).click()
  await expect(page.getByRole('status')).toHaveText('4 models')
  await expectGoodLooks(page, 'models')

  await page.getByRole('searchbox', { name: 'Search models' }).fill('acme thinks')
  await expect(page.getByRole('status')).toHaveText('1 model')
  const row = page.getByRole('row', { name: /Thinker 2 Large/ })
  for (const weight of ['0.3', '3.75', '15', '200K']) await expect(row).toContainText(weight)
  await page.reload()
  await expect(page.getByRole('searchbox', { name: 'Search models' })).toHaveValue('acme thinks')
  await expect(page.getByRole('status')).toHaveText('1 model')

  await page.getByRole('searchbox', { name: 'Search models' }).fill('')
  await page.getByLabel('Route').selectOption('Embeddings')
  await expect(page.getByRole('row', { name: /Embed Small/ })).toBeVisible()
  await expect(page.getByRole('status')).toHaveText('1 model')
  await page.getByLabel('Capability').selectOption('vision')
  await expect(page.getByRole('heading', { name: 'No model fits' })).toBeVisible()
  visitor.expectNoComplaints()
  await visitor.close()
})

test('a model shows what it weighs and how it is asked', async () => {
  const { page, ...visitor } = await stage.visitSignedIn()
  await page.goto('/portal/models')
  await page.getByRole('link', { name: 'Thinker 2 Large' }).click()
  await expect(page.getByRole('heading', { name: 'Thinker 2 Large', level: 1 })).toBeVisible()
  await expect(page.getByText('64,000 tokens')).toBeVisible()
  await expect(page.getByText('3.75')).toBeVisible()
  await expect(page.getByRole('tabpanel')).toContainText('"acme/thinker-2-large"')
  await expectGoodLooks(page, 'model')

  await page.goto('/portal/models/acme/embed-small')
  await expect(page.getByRole('tabpanel')).toContainText('/v1/embeddings')
  await expect(page.getByRole('link', { name: 'Try it' })).toHaveCount(0)
  visitor.allow(/404/)
  await page.goto('/portal/models/acme/none')
  await expect(page.getByRole('heading', { name: 'There is no model acme/none' })).toBeVisible()
  await expectGoodLooks(page, 'model-missing')
  visitor.expectNoComplaints()
  await visitor.close()
})
