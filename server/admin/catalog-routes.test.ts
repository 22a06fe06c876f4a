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
  providerTest,
} from '#contract/catalog.ts'
import { type Node, openNode, openTemporaryStorage, PRICED } from '#domains/catalog/catalog.fixture.ts'
import { createTestProvider } from '#domains/catalog/test-provider.ts'
import { createHttpApp } from '#server/http/frame.ts'
import { requireAdministrator } from '#server/http/guard.ts'
import { registerGuarded } from '#server/http/session-scope.ts'
import { silentLog } from '#telemetry/log.ts'
import { registerModelRoutes } from './models.ts'
import { registerPackageRoutes } from './packages.ts'
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
  registerGuarded(app, guard, scope => {
    registerProviderRoutes(scope, {
      ...node,
      testProvider: createTestProvider(async ({ baseUrl }) => ({
        method: 'GET',
        url: `${baseUrl}/models`,
        headers: {},
        expects: 'models',
      })),
    })
    registerModelRoutes(scope, node)
    registerPackageRoutes(scope, node)
  })
})
afterEach(async () => {
  node.catalog.close()
  await app.close()
})
afterAll(() => store.close())

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
