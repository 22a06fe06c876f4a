import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogEntry, catalogList, openaiModel, openaiModelList, packageList } from '#contract/catalog.ts'
import { createHttpApp } from '#server/http/frame.ts'
import { silentLog } from '#telemetry/log.ts'
import { registerDiscoveryRoutes } from './discovery-routes.ts'
import { createMemoryLimiter } from './limiter.ts'
import { CATALOG, model } from './published.fixture.ts'

const PATHS = ['/v1/models', '/v1/models/a', '/v1/catalog', '/v1/catalog/models/a', '/v1/catalog/packages']

let nowMs = 0
let published = CATALOG
const degraded = new Set<string>()
const apps: ReturnType<typeof createHttpApp>[] = []

function openApp(trustProxy: string[] | false = false) {
  const app = createHttpApp({ log: silentLog, trustProxy })
  registerDiscoveryRoutes(app, {
    limiter: createMemoryLimiter({ clock: { monotonicMs: () => nowMs } }),
    published: () => published,
    isDegraded: id => degraded.has(id),
  })
  apps.push(app)
  return app
}

let app = openApp()
beforeEach(() => {
  app = openApp()
  published = CATALOG
  degraded.clear()
})
afterAll(async () => {
  await Promise.all(apps.map(open => open.close()))
})

describe('the public catalogue', () => {
  test('lists models in the OpenAI convention, and shows one', async () => {
    const list = openaiModelList.strict().parse((await app.inject('/v1/models')).json())
    expect(list.data.map(shown => shown.id)).toEqual(['a', 'old', 'vendor/model:1', 'x'])
    expect(openaiModel.strict().parse((await app.inject('/v1/models/a')).json())).toEqual({
      id: 'a',
      object: 'model',
      created: 1_790_000_000,
      owned_by: 'vendor',
    })
  })

  test('lists entries with all their fields, and shows one', async () => {
    const list = catalogList.strict().parse((await app.inject('/v1/catalog')).json())
    expect(list.data).toHaveLength(4)
    const entry = catalogEntry.strict().parse((await app.inject('/v1/catalog/models/a')).json())
    expect(entry).toEqual({ ...CATALOG.models.get('a')?.entry, status: 'available' })
    expect(list.data[0]).toEqual(entry)
  })

  test('shows the packages', async () => {
    const list = packageList.strict().parse((await app.inject('/v1/catalog/packages')).json())
    expect(list.data).toEqual(CATALOG.packages)
  })

  test.each([
    '/v1/models/vendor/model:1',
    '/v1/models/vendor%2Fmodel%3A1',
    '/v1/catalog/models/vendor/model:1',
    '/v1/catalog/models/vendor%2fmodel:1',
    '/v1/catalog/models/vendor/model:1?x=1',
  ])('finds an id that holds a slash: %s', async url => {
    expect((await app.inject(url)).json()).toMatchObject({ id: 'vendor/model:1' })
  })

  test.each(['/v1/models/none', '/v1/models/', '/v1/models/vendor', '/v1/catalog/models/no/ne'])(
    'answers 404 model_not_found to %s',
    async url => {
      const reply = await app.inject(url)
      expect(reply.statusCode).toBe(404)
      expect(reply.json().error).toMatchObject({ type: 'invalid_request_error', code: 'model_not_found' })
    },
  )

  test('finds an id of the greatest length, percent-encoded to the last sign', async () => {
    const id = `a${'/'.repeat(199)}`
    published = { models: new Map([model(id)]), packages: [] }
    for (const path of [id, encodeURIComponent(id)]) {
      expect((await app.inject(`/v1/models/${path}`)).json().id).toBe(id)
      expect((await app.inject(`/v1/catalog/models/${path}`)).json().id).toBe(id)
    }
  })

  test('answers a path that can not be decoded in the envelope', async () => {
    const reply = await app.inject('/v1/models/%zz')
    expect([400, 404]).toContain(reply.statusCode)
    expect(reply.json().error).toMatchObject({ type: expect.any(String), message: expect.any(String) })
  })

  test('answers 404 to what it does not have, and 405 to what can not be done with it', async () => {
    const unknown = await app.inject('/v1/catalog/unknown')
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json().error).toMatchObject({ type: 'not_found_error', code: null })
    const post = await app.inject({ method: 'POST', url: '/v1/models' })
    expect(post.statusCode).toBe(405)
    expect(post.headers.allow).toBe('GET, HEAD')
  })

  test('tells how a model fares: deprecated, degraded, without a route, or well', async () => {
    degraded.add('a').add('old')
    const { data } = catalogList.parse((await app.inject('/v1/catalog')).json())
    expect(data.map(entry => [entry.id, entry.status])).toEqual([
      ['a', 'degraded'],
      ['old', 'deprecated'],
      ['vendor/model:1', 'available'],
      ['x', 'degraded'],
    ])
    expect((await app.inject('/v1/catalog/models/a')).json().status).toBe('degraded')
    degraded.clear()
    expect((await app.inject('/v1/catalog/models/a')).json().status).toBe('available')
    expect(catalogList.parse((await app.inject('/v1/catalog')).json()).data[0]?.status).toBe('available')
  })
})

describe('caching', () => {
  test.each(PATHS)('%s may be kept for a minute, and is checked by its tag', async url => {
    const first = await app.inject(url)
    expect(first.statusCode).toBe(200)
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=60, stale-while-revalidate=300',
      'content-type': 'application/json; charset=utf-8',
      etag: expect.stringMatching(/^"[A-Za-z0-9_-]{43}"$/),
    })
    const etag = String(first.headers.etag)
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.inject({ url, headers: { 'if-none-match': header } })
      expect(again.statusCode).toBe(304)
      expect(again.body).toBe('')
      expect(again.headers).toMatchObject({ etag, 'cache-control': first.headers['cache-control'] })
    }
    const other = await app.inject({ url, headers: { 'if-none-match': '"other"' } })
    expect(other.statusCode).toBe(200)
  })

  test('a tag changes with the catalogue and with how a model fares, and only then', async () => {
    const tagOf = async (url: string) => (await app.inject(url)).headers.etag
    const before = await Promise.all(PATHS.map(tagOf))
    published = { ...CATALOG }
    expect(await Promise.all(PATHS.map(tagOf))).toEqual(before)
    degraded.add('a')
    const whileDegraded = await Promise.all(PATHS.map(tagOf))
    expect(PATHS.filter((_, index) => whileDegraded[index] !== before[index])).toEqual([
      '/v1/catalog',
      '/v1/catalog/models/a',
    ])
    published = { models: new Map([model('b')]), packages: [] }
    expect(await tagOf('/v1/models')).not.toBe(before[0])
    expect((await app.inject('/v1/models/a')).statusCode).toBe(404)
  })

  test('a HEAD has the headers of a GET and no body, over a real connection too', async () => {
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    for (const url of PATHS) {
      const get = await fetch(address + url)
      const head = await fetch(address + url, { method: 'HEAD' })
      expect(head.status).toBe(200)
      for (const name of ['etag', 'cache-control', 'content-type', 'content-length']) {
        expect(head.headers.get(name), `${name} of ${url}`).toBe(get.headers.get(name))
      }
      expect(await head.text()).toBe('')
      expect((await get.text()).length).toBeGreaterThan(0)
    }
    const missing = await fetch(`${address}/v1/models/none`, { method: 'HEAD' })
    expect(missing.status).toBe(404)
  })
})

describe('the limit', () => {
  test('is one for all routes: 60 calls, 304 and 404 among them, then 429 until a second has passed', async () => {
    const etag = String((await app.inject('/v1/models')).headers.etag)
    const calls = [
      { url: '/v1/models', headers: { 'if-none-match': etag } },
      { url: '/v1/models/none' },
      { url: '/v1/catalog/unknown' },
      { url: '/v1/catalog/packages', method: 'HEAD' as const },
    ]
    for (let call = 1; call < 60; call++) {
      const reply = await app.inject(calls[call % calls.length] ?? '/v1/catalog')
      expect(reply.statusCode).not.toBe(429)
    }
    for (const url of [...PATHS, '/v1/catalog/unknown', '/v1/models/none']) {
      const refused = await app.inject(url)
      expect(refused.statusCode).toBe(429)
      expect(refused.headers).toMatchObject({ 'retry-after': '1' })
      expect(refused.headers['cache-control']).toBeUndefined()
      expect(refused.json()).toEqual({
        error: { message: 'Rate limit exceeded', type: 'rate_limit_exceeded', code: null },
      })
    }
    nowMs += 1000
    expect((await app.inject('/v1/models')).statusCode).toBe(200)
    expect((await app.inject('/v1/models')).statusCode).toBe(429)
  })

  test('is for each address, and for each /64 of IPv6', async () => {
    const statusFrom = async (remoteAddress: string) =>
      (await app.inject({ url: '/v1/models', remoteAddress })).statusCode
    for (let call = 0; call < 60; call++) await statusFrom('2001:db8::1')
    expect(await statusFrom('2001:db8::ffff')).toBe(429)
    expect(await statusFrom('2001:db8:0:1::1')).toBe(200)
    for (let call = 0; call < 60; call++) await statusFrom('192.0.2.1')
    expect(await statusFrom('::ffff:192.0.2.1')).toBe(429)
    expect(await statusFrom('192.0.2.2')).toBe(200)
  })

  test('believes a proxy only where it is trusted', async () => {
    const exhaust = async (on: typeof app) => {
      let last = 0
      for (let call = 0; call < 61; call++) {
        const headers = { 'x-forwarded-for': `192.0.2.${call}` }
        last = (await on.inject({ url: '/v1/models', headers })).statusCode
      }
      return last
    }
    expect(await exhaust(app)).toBe(429)
    expect(await exhaust(openApp(['127.0.0.1']))).toBe(200)
  })
})
