import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  adminModel,
  adminModelPage,
  adminPackage,
  adminPackagePage,
  provider,
  providerPage,
} from '#contract/catalog.ts'
import { providerDiscovery, providerTest } from '#contract/provider-models.ts'
import { type Node, openNode, openTemporaryStorage, PRICED } from '#domains/catalog/catalog.fixture.ts'
import { createPreviewWeights } from '#domains/catalog/preview-weights.ts'
import { createProviderModels } from '#domains/catalog/provider-models.ts'
import { createProviderProbes } from '#domains/catalog/provider-probes.ts'
import { createSettings } from '#domains/settings/settings.ts'
import { createRequestRecords } from '#domains/usage/request-records.ts'
import { createUsage } from '#domains/usage/usage.ts'
import { createHttpTransport } from '#gateway/providers/http1/http-transport.ts'
import { createModelListings } from '#gateway/providers/model-listings.ts'
import { createHttpApp } from '#server/http/frame.ts'
import { requireAdministrator } from '#server/http/guard.ts'
import { registerGuarded } from '#server/http/session-scope.ts'
import { silentLog } from '#telemetry/log.ts'
import { registerModelRoutes } from './models.ts'
import { registerPackageRoutes } from './packages.ts'
import { registerProviderModelRoutes } from './provider-models.ts'
import { registerProviderRoutes } from './providers.ts'

const ADMINISTRATOR = {
  realm: 'admin',
  id: 'adm_1',
  email: 'ada@example.org',
  name: 'Ada',
  role: 'owner',
  hasSecondFactor: false,
  session: { id: 'ses_1', createdAt: 0 },
} as const
const PROVIDER = {
  name: 'upstream',
  kind: 'openai',
  base_url: 'http://127.0.0.1:9/v1',
  credential: 'sk-secret-1',
}

const transport = createHttpTransport()
const probes = createProviderProbes(createModelListings(transport))

let store: Awaited<ReturnType<typeof openTemporaryStorage>>
let node: Node
let app: ReturnType<typeof createHttpApp>

beforeAll(async () => {
  store = await openTemporaryStorage()
})
beforeEach(async () => {
  await store.empty()
  node = await openNode({ storage: store.storage })
  app = createHttpApp({ log: silentLog, trustProxy: false })
  const cookie = {
    read: (request: { headers: { cookie?: string } }) => request.headers.cookie ?? null,
    set: () => {},
    clear: () => {},
  }
  const guard = requireAdministrator({
    cookie,
    findPerson: async token => (token === 'ada' ? ADMINISTRATOR : null),
  })
  const clock = { now: () => Date.UTC(2026, 10, 21), monotonicMs: () => performance.now() }
  const settings = createSettings({ ...node, storage: store.storage, clock })
  const usage = createUsage({ storage: store.storage, clock })
  const requests = createRequestRecords({ storage: store.storage })
  const providerModels = createProviderModels({ ...node, probes, settings, clock })
  registerGuarded(app, guard, scope => {
    registerProviderRoutes(scope, node)
    registerProviderModelRoutes(scope, { ...node, probes, providerModels })
    registerModelRoutes(scope, {
      ...node,
      previewWeights: createPreviewWeights({ ...node, usage, requests }),
    })
    registerPackageRoutes(scope, node)
  })
})
afterEach(async () => {
  node.catalog.close()
  await app.close()
})
afterAll(async () => {
  await transport.close()
  await store.close()
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function call(method: Method, url: string, body?: object) {
  const reply = await app.inject({
    method,
    url,
    headers: { cookie: 'ada' },
    ...(body ? { payload: body } : {}),
  })
  return { status: reply.statusCode, text: reply.body, body: reply.body === '' ? null : reply.json() }
}

test('nobody but an administrator passes', async () => {
  for (const url of ['/admin/providers', '/admin/models', '/admin/models/a/b', '/admin/packages']) {
    expect((await app.inject(url)).statusCode).toBe(401)
  }
})

describe('providers', () => {
  test('are made, shown, listed, changed and deleted, and never show the credential', async () => {
    const made = await call('POST', '/admin/providers', PROVIDER)
    expect(made.status).toBe(201)
    expect(provider.strict().parse(made.body)).toMatchObject({ name: 'upstream', has_credential: true })
    const path = `/admin/providers/${made.body.id}`
    const shown = await call('GET', path)
    expect(shown).toMatchObject({ status: 200, body: made.body })
    const listed = await call('GET', '/admin/providers')
    expect(providerPage.strict().parse(listed.body).data).toEqual([made.body])
    const patched = await call('PATCH', path, { name: 'other' })
    expect(patched).toMatchObject({ status: 200, body: { ...made.body, name: 'other' } })
    for (const { text } of [made, shown, listed, patched]) expect(text).not.toContain('sk-secret')
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('PATCH', path, {})).status).toBe(404)
    expect((await call('POST', `${path}/test`)).status).toBe(404)
    const [entry] = (await node.audit.list({ limit: 1, after: null })).items
    expect(entry?.actor).toEqual({ type: 'administrator', id: 'adm_1' })
  })

  test('are refused with the field that is wrong', async () => {
    const cases: [object, string][] = [
      [{ kind: 'demo' }, 'kind'],
      [{ base_url: 'ftp://example.org' }, 'base_url'],
      [{ base_url: 'http://a:b@example.org' }, 'base_url'],
      [{ name: '' }, 'name'],
      [{ headers: { Host: 'x' } }, 'headers'],
      [{ timeouts: { idle_ms: 0 } }, 'timeouts.idle_ms'],
    ]
    for (const [wrong, field] of cases) {
      const { status, body } = await call('POST', '/admin/providers', { ...PROVIDER, ...wrong })
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ type: 'invalid_request_error', code: null })
      expect(body.error.message).toContain(field)
    }
  })

  test('that share a name are a conflict', async () => {
    await call('POST', '/admin/providers', PROVIDER)
    const again = await call('POST', '/admin/providers', PROVIDER)
    expect(again).toMatchObject({ status: 409, body: { error: { type: 'conflict_error' } } })
  })

  test('are tested at their address', async () => {
    const upstream = createServer((_request, response) => response.end('{"data":[{"id":"m"}]}'))
    await new Promise<void>(resolve => upstream.listen(0, '127.0.0.1', resolve))
    // A server that listens on an address, not on a pipe.
    const { port } = upstream.address() as AddressInfo
    const base_url = `http://127.0.0.1:${port}/v1/`
    const made = await call('POST', '/admin/providers', { ...PROVIDER, base_url })
    const tested = await call('POST', `/admin/providers/${made.body.id}/test`)
    expect(tested.status).toBe(200)
    expect(providerTest.strict().parse(tested.body).ok).toBe(true)
    await new Promise(resolve => upstream.close(resolve))
    const gone = await call('POST', `/admin/providers/${made.body.id}/test`)
    expect(gone).toMatchObject({ status: 200, body: { ok: false } })
    expect(gone.text).not.toContain('sk-secret')
  })
})

/** An OpenAI-compatible server with two models, which takes one key. */
async function listenWithModels() {
  const upstream = createServer((request, response) => {
    if (request.headers.authorization !== 'Bearer sk-right') return response.writeHead(401).end('{}')
    return response.end('{"data":[{"id":"gpt-4.1","context_window":1000},{"id":"own-embedder"}]}')
  })
  await new Promise<void>(resolve => upstream.listen(0, '127.0.0.1', resolve))
  // A server that listens on an address, not on a pipe.
  const { port } = upstream.address() as AddressInfo
  return { base_url: `http://127.0.0.1:${port}/v1`, close: () => upstream.close() }
}

describe('models that a provider has', () => {
  test('can be tried for before anything is saved, and at another path of its server under the saved key', async () => {
    const upstream = await listenWithModels()
    const draft = { kind: 'openai', base_url: upstream.base_url }
    const wrong = await call('POST', '/admin/providers/test', { ...draft, credential: 'sk-wrong' })
    expect(wrong.body).toMatchObject({ ok: false, verdict: 'credential_refused' })
    expect((await call('GET', '/admin/providers')).body.data).toEqual([])
    const base_url = upstream.base_url.replace('/v1', '/old')
    const saved = await call('POST', '/admin/providers', { ...PROVIDER, base_url, credential: 'sk-right' })
    const elsewhere = { kind: 'openai', provider_id: saved.body.id, base_url: 'http://127.0.0.1:1/v1' }
    expect(await call('POST', '/admin/providers/test', elsewhere)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^credential: must be given again/) } },
    })
    const moved = await call('POST', '/admin/providers/test', { ...draft, provider_id: saved.body.id })
    expect(moved.body).toMatchObject({ ok: true, verdict: 'ok' })
    const { items } = await node.audit.list({ limit: 10, after: null }, { action: 'provider.try' })
    expect(items).toMatchObject([
      {
        actor: { type: 'administrator', id: ADMINISTRATOR.id },
        target: { type: 'provider', id: saved.body.id },
        before: { base_url },
        after: { base_url: upstream.base_url },
      },
    ])
    expect((await call('GET', `/admin/providers/${saved.body.id}`)).body).toEqual(saved.body)
    const other = { ...draft, kind: 'mistral', provider_id: saved.body.id }
    expect((await call('POST', '/admin/providers/test', other)).status).toBe(400)
    expect((await call('POST', '/admin/providers/test', { ...draft, provider_id: 'prv_none' })).status).toBe(
      404,
    )
    upstream.close()
  })

  test('are listed with what is told of them, and with the models that have a route to them', async () => {
    const upstream = await listenWithModels()
    const { body } = await call('POST', '/admin/providers', {
      ...PROVIDER,
      base_url: upstream.base_url,
      credential: 'sk-right',
    })
    const routes = [{ provider_id: body.id, upstream_model: 'own-embedder' }]
    await call('POST', '/admin/models', { id: 'mine', weights: PRICED, routes })
    const found = await call('POST', `/admin/providers/${body.id}/discover`)
    expect(providerDiscovery.strict().parse(found.body)).toMatchObject({
      ok: true,
      models: [
        {
          upstream_model: 'gpt-4.1',
          context_window: 1000,
          endpoints: ['chat'],
          list_price: null,
          models: [],
        },
        { upstream_model: 'own-embedder', endpoints: ['embeddings'], models: ['mine'] },
      ],
    })
    expect((await call('POST', '/admin/providers/prv_none/discover')).status).toBe(404)
    upstream.close()
  })

  test('are taken in all or none, weighed by list price and margin, each on the audit log', async () => {
    const { body } = await call('POST', '/admin/providers', {
      name: 'OpenAI',
      kind: 'openai',
      credential: 'sk-1',
    })
    const path = `/admin/providers/${body.id}/import`
    const given = {
      models: [
        { id: 'big', upstream_model: 'gpt-4.1', name: 'Big' },
        { id: 'own', upstream_model: 'no-list-knows-me' },
        { id: 'fixed', upstream_model: 'gpt-4.1', weights: PRICED },
      ],
      pricing: { credit_usd: 0.01, margin_percent: 50 },
    }
    const made = await call('POST', path, given)
    expect(made).toMatchObject({
      status: 201,
      body: {
        data: [
          { id: 'big', enabled: true },
          { id: 'own', enabled: false },
          { id: 'fixed', enabled: true },
        ],
      },
    })
    const big = (await call('GET', '/admin/models/big')).body
    expect(big).toMatchObject({
      name: 'Big',
      weights: { input: 300, cache_read: 75, cache_write: 300, output: 1200 },
      routes: [{ provider_id: body.id, upstream_model: 'gpt-4.1' }],
    })
    const { items } = await node.audit.list({ limit: 3, after: null })
    expect(items.map(({ action, target }) => [action, target.id])).toEqual([
      ['model.create', 'fixed'],
      ['model.create', 'own'],
      ['model.create', 'big'],
    ])
    const again = await call('POST', path, {
      models: [
        { id: 'new', upstream_model: 'x' },
        { id: 'own', upstream_model: 'x' },
      ],
    })
    expect(again).toMatchObject({
      status: 409,
      body: { error: { message: "There is a model 'own' already" } },
    })
    expect((await call('GET', '/admin/models/new')).status).toBe(404)
    const twice = await call('POST', path, {
      models: [
        { id: 'new', upstream_model: 'x' },
        { id: 'new', upstream_model: 'y' },
      ],
    })
    expect(twice).toMatchObject({ status: 409, body: { error: { message: "The id 'new' is given twice" } } })
  })

  test('have weights worked out from their list price, line by line', async () => {
    const asked = '/admin/list-prices?upstream_model=gpt-4.1'
    expect((await call('GET', asked)).body).toMatchObject({
      listed_by: 'openai',
      pricing: { credit_usd: 1, margin_percent: 0 },
      weights: { input: 2, cache_read: 0.5, cache_write: 2, output: 8 },
    })
    const { body } = await call('GET', `${asked}&credit_usd=0.03&margin_percent=25`)
    expect(body.lines[0]).toEqual({
      item: 'input',
      above_input_tokens: null,
      list_price_usd: '2',
      weight: '83.333334',
      calculation: '2 USD × 1.25 ÷ 0.03 USD a credit = 83.333334, rounded up to six decimals',
    })
    expect((await call('GET', '/admin/list-prices?upstream_model=no-list-knows-me')).status).toBe(404)
    expect((await call('GET', `${asked}&credit_usd=0`)).status).toBe(400)
    expect((await call('GET', `${asked}&provider_id=prv_none`)).status).toBe(404)
  })
})

describe('models', () => {
  test('whose ids hold slashes are found raw and percent-encoded', async () => {
    const { body } = await call('POST', '/admin/providers', PROVIDER)
    const routes = [{ provider_id: body.id, upstream_model: 'up' }]
    const made = await call('POST', '/admin/models', { id: 'vendor/a:1', weights: PRICED, routes })
    expect(made.status).toBe(201)
    expect(adminModel.strict().parse(made.body)).toMatchObject({ enabled: true, weights: PRICED })
    expect(node.catalog.current().models.has('vendor/a:1')).toBe(true)
    for (const path of ['/admin/models/vendor/a:1', '/admin/models/vendor%2Fa%3A1']) {
      expect(await call('GET', path)).toMatchObject({ status: 200, body: { id: 'vendor/a:1' } })
      expect(await call('PATCH', path, { name: path })).toMatchObject({ status: 200, body: { name: path } })
    }
    expect(
      adminModelPage.strict().parse((await call('GET', '/admin/models?limit=1')).body).data,
    ).toHaveLength(1)
    expect((await call('DELETE', `/admin/providers/${body.id}`)).status).toBe(409)
    expect((await call('DELETE', '/admin/models/vendor%2Fa:1')).status).toBe(204)
    expect(node.catalog.current().models.has('vendor/a:1')).toBe(false)
    expect((await call('GET', '/admin/models/vendor/a:1')).status).toBe(404)
  })

  test('are refused with the field that is wrong', async () => {
    const cases: [object, string][] = [
      [{ weights: { input: 1, cache_read: 1, cache_write: 1 } }, 'weights.output'],
      [{ weights: { ...PRICED, output: -1 } }, 'weights.output'],
      [{ weights: { ...PRICED, input: '1' } }, 'weights.input'],
      [{ weights: { ...PRICED, cache_read: 1e-13 } }, 'weights.cache_read'],
      [{ weights: { ...PRICED, extra: 1 } }, 'weights'],
      [{ weights: undefined, enabled: true }, 'enabled'],
      [{ routes: [{ provider_id: 'prv_none', upstream_model: 'm' }] }, 'routes.0.provider_id'],
      [{ id: 'has space' }, 'id'],
      [{ endpoints: ['telepathy'] }, 'endpoints'],
    ]
    for (const [wrong, field] of cases) {
      const given = { id: 'a', weights: PRICED, ...wrong }
      const { status, body } = await call('POST', '/admin/models', given)
      expect(status, field).toBe(400)
      expect(body.error.message).toContain(field)
    }
  })

  test('of one id asked for at once are made once: one 201, else 409', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', '/admin/models', { id: 'a', weights: PRICED })),
    )
    expect(replies.map(reply => reply.status).sort()).toEqual([201, ...Array(7).fill(409)])
  })

  test('are listed in pages that hang together', async () => {
    for (const id of ['a/1', 'b/2', 'c/3']) await call('POST', '/admin/models', { id })
    const first = await call('GET', '/admin/models?limit=2')
    expect(first.body.data.map((model: { id: string }) => model.id)).toEqual(['c/3', 'b/2'])
    const second = await call('GET', `/admin/models?limit=2&cursor=${first.body.next_cursor}`)
    expect(second.body).toMatchObject({ data: [{ id: 'a/1' }], next_cursor: null })
    expect((await call('GET', '/admin/models?cursor=junk!')).status).toBe(400)
  })
})

test('packages are made, shown, listed, changed and deleted', async () => {
  const given = { name: 'Small', credits: 10, price: { amount: 999, currency: 'eur' } }
  const made = await call('POST', '/admin/packages', given)
  expect(made.status).toBe(201)
  expect(adminPackage.strict().parse(made.body)).toMatchObject({
    credits: 10,
    price: { amount: 999, currency: 'EUR' },
    on_sale: true,
  })
  const path = `/admin/packages/${made.body.id}`
  expect((await call('GET', path)).body).toEqual(made.body)
  expect(await call('PATCH', path, { credits: 12.5 })).toMatchObject({ status: 200, body: { credits: 12.5 } })
  expect((await call('PATCH', path, { credits: 0.0000001 })).status).toBe(400)
  expect((await call('PATCH', path, { credits: 0 })).status).toBe(400)
  expect(adminPackagePage.strict().parse((await call('GET', '/admin/packages')).body).data).toHaveLength(1)
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('DELETE', path)).status).toBe(404)
})
