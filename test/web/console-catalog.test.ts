import { expect, type Page, type Route } from '@playwright/test'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { makeCaller } from '#test/support/admin-client.ts'
import { startUpstream, type Upstream } from '#test/support/upstream.ts'
import { type ConsoleStage, startConsoleStage } from './console-stage.ts'
import { expectGoodLooks } from './looks.ts'
import { MODEL } from './portal-stage.ts'
import { refuse } from './refuse.ts'

let stage: ConsoleStage
/** A server with three models, which takes one key. */
let server: Upstream

beforeAll(async () => {
  server = await startUpstream((request, response) => {
    if (request.headers.authorization !== 'Bearer sk-right') return response.writeHead(401).end('no such key')
    const data = [
      { id: 'gpt-4.1', context_window: 1_000_000 },
      { id: 'text-embedding-3-small' },
      { id: 'house-blend' },
    ]
    return response.end(JSON.stringify({ object: 'list', data }))
  })
  stage = await startConsoleStage()
})
afterAll(async () => {
  await stage.close()
  await server.close()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

describe('providers', () => {
  test('are added by address and key, tried before they are saved, and asked for their models, which are taken in', async () => {
    const { page, ...visitor } = await stage.visitConsole('/providers')
    await expect(page.getByRole('row', { name: /acme/ })).toBeVisible()
    await expectGoodLooks(page, 'console-providers')

    await page.getByRole('button', { name: 'Add provider' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('House server')
    await dialog.getByLabel('Base URL').fill(server.baseUrl)
    await dialog.getByLabel('Credential').fill('sk-wrong')
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await expect(dialog.getByText('The provider refuses the credential')).toBeVisible()
    await dialog.getByLabel('Credential').fill('sk-right')
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await expect(dialog.getByText('The connection works')).toBeVisible()
    const add = dialog.getByRole('button', { name: 'Add provider' })
    await dialog.getByText('Timeouts and headers').click()
    await dialog.getByLabel('Extra headers').fill('nonsense')
    await add.click()
    await expect(dialog.getByLabel('Extra headers')).toHaveAccessibleDescription(/name: value/)
    // What only the service refuses is told at its field as well, which opens and takes the focus.
    await dialog.getByLabel('Extra headers').fill('Host: elsewhere')
    await dialog.getByText('Timeouts and headers').click()
    await add.click()
    await expect(dialog.getByLabel('Extra headers')).toHaveAccessibleDescription(/set by the gateway/)
    await expect(dialog.getByLabel('Extra headers')).toBeFocused()
    await dialog.getByLabel('Extra headers').fill('x-team: gold\nx-api-key: hidden')
    await dialog.getByText('What it serves').click()
    await dialog.getByLabel('This server serves').selectOption('chosen')
    await dialog.getByRole('checkbox', { name: 'Embeddings' }).check()
    await dialog.getByText('Further credentials').click()
    await dialog.getByRole('button', { name: 'Add credential' }).click()
    await dialog.getByLabel('Its name').fill('second account')
    await add.click()
    await expect(dialog.getByLabel('Its credential')).toHaveAccessibleDescription(/Give the credential/)
    await expectGoodLooks(page, 'console-provider-form')
    await dialog.getByLabel('Its credential').fill('sk-second')
    await add.click()

    await expect(heading(page, 'House server')).toBeVisible()
    await expect(page.getByText('x-team: gold, x-api-key: •••')).toBeVisible()
    await expect(page.getByText('Chat completions, Embeddings')).toBeVisible()
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByText('Further credentials (1)').click()
    const second = dialog.getByRole('group', { name: 'second account' })
    await second.getByLabel('Its name').fill('renamed')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(second.getByLabel('A new credential')).toHaveAccessibleDescription(/kept under the name/)
    await expectGoodLooks(page, 'console-provider-credentials')
    // The other field made it good, and the mark is gone.
    await second.getByLabel('Its name').fill('second account')
    await dialog.getByRole('button', { name: 'Add credential' }).click()
    await dialog.getByLabel('Its name').nth(1).fill('third account')
    await dialog.getByLabel('Its credential').fill('sk-third')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('second account, third account')).toBeVisible()
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByText('Further credentials (2)').click()
    await dialog.getByRole('button', { name: 'Remove second account' }).click()
    await expect(dialog.getByRole('button', { name: 'Add credential' })).toBeFocused()
    await dialog.getByText('What it serves').click()
    await dialog.getByLabel('This server serves').selectOption('all')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('All that its kind serves')).toBeVisible()
    await expect(page.getByText('third account', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByText('lists 3 models')).toBeVisible()
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByRole('main').getByText('Paused', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByRole('main').getByText('In service', { exact: true })).toBeVisible()
    await expectGoodLooks(page, 'console-provider')

    await page.getByRole('link', { name: 'Discover models' }).click()
    await expect(page.getByRole('row', { name: /gpt-4.1/ })).toBeVisible()
    await page.getByRole('checkbox', { name: 'gpt-4.1' }).check()
    await page.getByRole('checkbox', { name: 'house-blend' }).check()
    await page.getByLabel('Before each id').fill('house/')
    await expectGoodLooks(page, 'console-discover')
    await page.getByRole('button', { name: 'Import 2 models' }).click()
    await expect(heading(page, 'Models')).toBeVisible()
    await expect(page.getByRole('row', { name: /house\/gpt-4.1/ })).toContainText('No weights')
    visitor.allow(/400/)
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('have a history of how the attempts ended, as a chart and in exact numbers', async () => {
    const { domains } = stage.gateway.app
    const { data } = await stage.gateway.admin.call<{ data: { id: string; name: string }[] }>(
      'GET',
      '/admin/providers',
    )
    const provider = data.find(({ name }) => name.startsWith(MODEL)) ?? data[0]
    const route = domains.catalog.current().models.get(MODEL)?.routes[0]
    if (!provider || !route) throw new Error('The stage has no provider')
    for (let count = 0; count < 40; count++) domains.health.noteAttempt(route, 'answered')
    for (let count = 0; count < 9; count++) domains.health.noteAttempt(route, 'throttled')
    domains.health.noteAttempt({ ...route, upstreamModel: 'another-model' }, 'timed_out')
    domains.health.noteRest(route, 60_000)
    domains.health.noteRecovery(route)
    await domains.health.flush()
    const { page, ...visitor } = await stage.visitConsole(`/providers/${provider.id}`, { role: 'viewer' })
    const title = 'Failed attempts by kind, hour by hour'
    await expect(page.getByRole('img', { name: title })).toBeVisible()
    await expect(page.getByText('for 60 s in all, back once')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Attempts by model' })).toContainText('another-model')
    await expectGoodLooks(page, 'console-provider-history')
    await page.getByRole('button', { name: `Show ${title} as table` }).click()
    const row = page.getByRole('table', { name: title }).getByRole('row').nth(1)
    // Each cell holds its label too, for the cards of a phone.
    await expect(row.getByRole('cell')).toHaveText([
      'Attempts50',
      'Failed20%',
      'Throttled9',
      'Answered with an error0',
      'Too slow1',
      'No connection0',
      'Broke off0',
      'Credential refused0',
      'Left alone1 × 60 s',
    ])
    for (const [range, by] of [
      ['3h', 'by five minutes'],
      ['30d', 'day by day'],
    ] as const) {
      await page.getByLabel('Time of the history').selectOption({ value: range })
      await expect(page.getByRole('table', { name: `Failed attempts by kind, ${by}` })).toContainText('20%')
    }
    await expectGoodLooks(page, 'console-provider-history-table')
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('that can not be asked say why in one line', async () => {
    const made = await stage.gateway.admin.call<{ id: string }>('POST', '/admin/providers', {
      name: 'Gone server',
      kind: 'openai',
      base_url: 'http://127.0.0.1:1/v1',
    })
    const { page, ...visitor } = await stage.visitConsole(`/providers/${made.id}/models`)
    await expect(page.getByText('The provider can not be reached')).toBeVisible()
    await page.goto(`/console/providers/${made.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete provider' }).click()
    await expect(heading(page, 'Providers')).toBeVisible()
    await expect(page.getByRole('row', { name: /Gone server/ })).toHaveCount(0)
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('are changed by a form that was open for a while, which takes back nothing that somebody else did meanwhile', async () => {
    const { admin } = stage.gateway
    const shared = { name: 'Shared', kind: 'openai', base_url: server.baseUrl, credential: 'sk-right' }
    const { id } = await admin.call<{ id: string }>('POST', '/admin/providers', shared)
    const { page, ...visitor } = await stage.visitConsole(`/providers/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Renamed')
    const further_credentials = [{ name: 'of a colleague', credential: 'sk-second' }]
    await admin.call('PATCH', `/admin/providers/${id}`, {
      further_credentials,
      headers: { 'x-team': 'gold' },
    })
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(heading(page, 'Renamed')).toBeVisible()
    await expect(page.getByText('of a colleague')).toBeVisible()
    await expect(page.getByText('x-team: gold')).toBeVisible()

    // What is stored stays with its server.
    await page.getByRole('button', { name: 'Edit' }).click()
    const credential = dialog.getByLabel('Credential', { exact: true })
    const address = dialog.getByLabel('Base URL')
    await address.fill(server.baseUrl.replace('/v1', '/v2'))
    await expect(credential).toHaveAccessibleDescription(/the one that is stored/)
    await address.fill('http://localhost:1/v1')
    await expect(credential).toHaveAccessibleDescription(/Needed again/)
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await expect(credential).toHaveAttribute('aria-invalid', 'true')
    await expect(credential).toBeFocused()
    await expectGoodLooks(page, 'console-provider-moved')
    await credential.fill('sk-for-there')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(
      dialog.getByRole('group', { name: 'of a colleague' }).getByLabel('A new credential'),
    ).toHaveAccessibleDescription(/Must be given again/)
    await dialog.getByRole('button', { name: 'Remove of a colleague' }).click()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('http://localhost:1/v1')).toBeVisible()
    await expect(page.getByText('of a colleague')).toHaveCount(0)
    visitor.allow(/400/)
    visitor.expectNoComplaints()
    await visitor.close()
  })
})

function refuseChange(route: Route): Promise<void> {
  return route.request().method() === 'PATCH' ? refuse(route) : route.continue()
}

describe('models', () => {
  test('show what a change of weights would have meant before it is saved, and what they weighed before', async () => {
    const { token } = await makeCaller(stage.gateway.admin)
    await fetch(`${stage.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    const { page, ...visitor } = await stage.visitConsole(`/models/${MODEL}`)
    await expect(heading(page, MODEL)).toBeVisible()
    await page.getByRole('button', { name: 'Change weights' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Work out from a list price').click()
    await dialog.getByLabel('List price of').selectOption({ label: `Whoever lists ${MODEL}` })
    await dialog.getByRole('button', { name: 'Work out weights' }).click()
    await expect(dialog.getByText('The price list does not know this model')).toBeVisible()
    const tokens = dialog.getByRole('group', { name: 'Tokens' })
    await tokens.getByLabel('Output').fill('a lot')
    await dialog.getByRole('button', { name: 'Add tier' }).click()
    const tier = dialog.getByRole('group', { name: 'Tier 1' })
    await expect(tier.getByLabel('Above so many')).toBeFocused()
    const addTier = dialog.getByRole('button', { name: 'Add tier' })
    for (let tiers = 1; tiers < 10; tiers++) await addTier.click()
    await expect(addTier).toBeDisabled()
    await dialog.getByRole('button', { name: 'Remove Tier 10' }).click()
    await expect(addTier).toBeFocused()
    for (let last = 9; last > 1; last--)
      await dialog.getByRole('button', { name: `Remove Tier ${last}` }).click()
    await tier.getByLabel('Output').fill('-1')
    await dialog.getByRole('button', { name: 'Show the effect' }).click()
    for (const field of [tokens.getByLabel('Output'), tier.getByLabel('Output')])
      await expect(field).toHaveAccessibleDescription(/number of 0 or more/)
    await expect(tier.getByLabel('Above so many')).toHaveAccessibleDescription(/number of tokens/)
    await tokens.getByLabel('Output').fill('20')
    await tier.getByLabel('Above so many').fill('1')
    await tier.getByLabel('Output').fill('40')
    await dialog.getByRole('button', { name: 'Show the effect' }).click()
    const effect = dialog.getByRole('region', { name: 'Effect of the change' })
    await expect(effect).toContainText('Output: 10 → 20 (+100%)')
    await expect(effect).toContainText('Output above 1 input tokens: none → 40')
    await expect(effect).toContainText(/1 request since .* as it is charged/)
    await expect(effect).toContainText('+0.00')
    await expectGoodLooks(page, 'console-weights')
    await page.route('**/admin/models/**', refuseChange)
    await dialog.getByRole('button', { name: 'Save weights' }).click()
    await expect(dialog.getByText('can not reach its records')).toBeVisible()
    await page.unroute('**/admin/models/**', refuseChange)
    await tokens.getByLabel('Output').fill('20.0')
    await expect(dialog.getByText('can not reach its records')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Show the effect' }).click()
    await dialog.getByRole('button', { name: 'Save weights' }).click()
    const main = page.getByRole('main')
    await expect(main.getByText('Output: 10 → 20')).toBeVisible()
    await expect(main.getByRole('heading', { name: 'more than 1 input tokens' })).toBeVisible()

    const managed = { kind: 'model', name: MODEL, item_id: MODEL }
    await page.route('**/admin/managed-items', route =>
      route.fulfill({ json: { object: 'list', data: [managed], next_cursor: null } }),
    )
    await page.reload()
    await expect(page.getByText('The configuration file manages this')).toBeVisible()
    await expect(main.getByText('Output: 10 → 20')).toBeVisible()
    for (const name of ['Change weights', 'Change routes', 'Edit', 'Disable'])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    visitor.allow(/404|503/)
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('that somebody else weighs meanwhile are not weighed unseen: what was written stays, and is held against theirs', async () => {
    const { admin } = stage.gateway
    const weights = { input: 1, cache_read: 1, cache_write: 1, output: 1 }
    await admin.call('POST', '/admin/models', { id: 'shared', weights })
    const { page, ...visitor } = await stage.visitConsole('/models/shared')
    await page.getByRole('button', { name: 'Change weights' }).click()
    const dialog = page.getByRole('dialog')
    const tokens = dialog.getByRole('group', { name: 'Tokens' })
    await tokens.getByLabel('Output').fill('5')
    await dialog.getByRole('button', { name: 'Show the effect' }).click()
    await expect(dialog.getByRole('region', { name: 'Effect of the change' })).toContainText('Output: 1 → 5')
    await admin.call('PATCH', '/admin/models/shared', { weights: { ...weights, input: 3 } })
    await dialog.getByRole('button', { name: 'Save weights' }).click()
    await expect(dialog.getByRole('alert')).toContainText(
      'Administrator changed these weights while you wrote',
    )
    await expect(dialog.getByRole('alert')).toContainText('Input: 1 → 3')
    await expectGoodLooks(page, 'console-weights-changed')
    await expect(tokens.getByLabel('Output')).toHaveValue('5')
    await dialog.getByRole('button', { name: 'Go on with mine' }).click()
    await dialog.getByRole('button', { name: 'Show the effect' }).click()
    const effect = dialog.getByRole('region', { name: 'Effect of the change' })
    await expect(effect).toContainText('Input: 3 → 1')
    await admin.call('PATCH', '/admin/models/shared', { weights: { ...weights, input: 4 } })
    await tokens.getByLabel('Output').fill('6')
    // An effect is not shown over others' weights either.
    await dialog.getByRole('button', { name: 'Show the effect' }).click()
    await dialog.getByRole('button', { name: 'Take theirs' }).click()
    await expect(tokens.getByLabel('Input')).toHaveValue('4')
    await tokens.getByLabel('Output').fill('6')
    await dialog.getByRole('button', { name: 'Show the effect' }).click()
    await dialog.getByRole('button', { name: 'Save weights' }).click()
    await expect(page.getByRole('main').getByText('Output: 1 → 6')).toBeVisible()
    expect(await admin.call('GET', '/admin/models/shared')).toMatchObject({
      weights: { ...weights, input: 4, output: 6 },
    })

    // Routes are replaced all together, so they are no different.
    const { data } = await admin.call<{ data: { id: string }[] }>('GET', '/admin/providers')
    const routeTo = (upstream_model: string) => ({ provider_id: data[0]?.id, upstream_model })
    await page.getByRole('button', { name: 'Change routes' }).click()
    await dialog.getByRole('button', { name: 'Add route' }).click()
    await dialog.getByLabel('Model there').fill('mine')
    await admin.call('PATCH', '/admin/models/shared', { routes: [routeTo('theirs')] })
    await dialog.getByRole('button', { name: 'Save routes' }).click()
    await expect(dialog.getByRole('alert')).toContainText('changed these routes while you wrote')
    await expect(dialog.getByRole('alert')).toContainText('Now theirs at')
    await expect(dialog.getByLabel('Model there')).toHaveValue('mine')
    await dialog.getByRole('button', { name: 'Go on with mine' }).click()
    await dialog.getByRole('button', { name: 'Save routes' }).click()
    await expect(page.getByRole('row', { name: /mine/ })).toContainText('100%')
    await expect(page.getByRole('row', { name: /theirs/ })).toHaveCount(0)
    visitor.allow(/409/)
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('are weighed by a list price, given routes, enabled, deprecated and deleted', async () => {
    const { page, ...visitor } = await stage.visitConsole('/models')
    await page.getByRole('button', { name: 'Add model' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Id').fill('gpt-4.1')
    await dialog.getByLabel('Name').fill('Big one')
    await dialog.getByLabel('Made by').fill('openai')
    await dialog.getByLabel('Context window').fill('many')
    await dialog.getByRole('checkbox', { name: 'Chat completions' }).uncheck()
    await dialog.getByRole('button', { name: 'Add model' }).click()
    await expect(dialog.getByLabel('Context window')).toHaveAccessibleDescription(/whole number/)
    await expect(dialog.getByRole('group', { name: 'Serves' })).toHaveAccessibleDescription(/at least one/)
    await dialog.getByRole('checkbox', { name: 'Chat completions' }).check()
    await dialog.getByLabel('Context window').fill('1000000')
    await expectGoodLooks(page, 'console-model-form')
    await dialog.getByRole('button', { name: 'Add model' }).click()
    await expect(heading(page, 'Big one')).toBeVisible()

    await page.getByRole('button', { name: 'Change weights' }).click()
    await dialog.getByText('Work out from a list price').click()
    const margin = dialog.getByLabel('Margin, in percent')
    const workOut = dialog.getByRole('button', { name: 'Work out weights' })
    await margin.fill('fifty')
    await workOut.click()
    await expect(margin).toHaveAccessibleDescription(/number of percent/)
    await expect(margin).toBeFocused()
    await expect(dialog.getByLabel('Output')).toHaveValue('')
    await margin.fill('50')
    await workOut.click()
    const calculation = dialog.getByText('Input: 2 USD × 1.5 ÷ 1 USD a credit = 3')
    await expect(calculation).toBeVisible()
    await expect(dialog.getByLabel('Output')).toHaveValue('12')
    // What it was worked out from no longer stands there; nor does an unused calculator keep weights from being saved.
    await dialog.getByLabel('A credit is worth').fill('')
    await expect(calculation).toHaveCount(0)
    await workOut.click()
    await expect(dialog.getByLabel('A credit is worth')).toHaveAccessibleDescription(/above 0/)
    await dialog.getByRole('button', { name: 'Show the effect' }).click()
    await dialog.getByRole('button', { name: 'Save weights' }).click()
    await expect(page.getByRole('main').getByText('Output: none → 12')).toBeVisible()

    await page.getByRole('button', { name: 'Change routes' }).click()
    await dialog.getByRole('button', { name: 'Add route' }).click()
    await dialog.getByLabel('Model there').fill('gpt-4.1-2026')
    await dialog.getByRole('textbox', { name: 'Order' }).fill('second')
    await dialog.getByRole('button', { name: 'Save routes' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Order' })).toHaveAccessibleDescription(/number/)
    await dialog.getByRole('textbox', { name: 'Order' }).fill('2')
    await dialog.getByLabel('Among routes of one order').selectOption('least_cost')
    await dialog.getByLabel('Most attempts').fill('3')
    await dialog.getByLabel('Longest wait').fill('45')
    await dialog.getByLabel('Further rounds').fill('9')
    await dialog.getByRole('button', { name: 'Save routes' }).click()
    await expect(dialog.getByLabel('Further rounds')).toHaveAccessibleDescription(/from 0 to 5/)
    await dialog.getByLabel('Further rounds').fill('1')
    await expectGoodLooks(page, 'console-routes')
    await dialog.getByRole('button', { name: 'Save routes' }).click()
    await expect(page.getByRole('row', { name: /gpt-4.1-2026/ })).toContainText('100%')
    await expect(
      page.getByText('tried 3 times at most, with 1 further round, and waits for 45 s at most'),
    ).toBeVisible()

    await page.getByRole('button', { name: 'Enable' }).click()
    await expect(page.getByRole('main').getByText('Enabled', { exact: true })).toBeVisible()
    await expectGoodLooks(page, 'console-model')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Deprecate' }).click()
    await expect(page.getByRole('main').getByText('Deprecated', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete model' }).click()
    await expect(heading(page, 'Models')).toBeVisible()
    await expect(page.getByRole('link', { name: 'gpt-4.1', exact: true })).toHaveCount(0)
    visitor.expectNoComplaints()
    await visitor.close()
  })

  test('are seen by a viewer, who is offered nothing that changes them', async () => {
    const { page, ...visitor } = await stage.visitConsole(`/models/${MODEL}`, { role: 'viewer' })
    await expect(heading(page, MODEL)).toBeVisible()
    for (const name of ['Change weights', 'Change routes', 'Edit', 'Disable'])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    await page.goto('/console/models')
    await expect(page.getByRole('row', { name: new RegExp(MODEL) })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add model' })).toHaveCount(0)
    await expectGoodLooks(page, 'console-models')
    visitor.expectNoComplaints()
    await visitor.close()
  })
})
