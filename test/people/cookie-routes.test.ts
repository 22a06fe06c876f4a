/** What holds for every route under /client and /admin: those to come are swept, too. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN } from '#test/support/admin-client.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'

const USER = { email: 'ada@example.org', password: 'long enough password', name: 'Ada' }

let gateway: TestGateway
const cookies: Record<string, string> = {}
beforeAll(async () => {
  gateway = await startGateway()
  cookies.client = await cookieOf('/client/sign-up', USER)
  cookies.admin = await cookieOf('/admin/sign-in', ADMIN)
})
afterAll(() => gateway.close())

async function cookieOf(path: string, body: object): Promise<string> {
  const response = await call('POST', path, { body })
  expect(response.ok).toBe(true)
  return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}

type CallOptions = { readonly headers?: Record<string, string>; readonly body?: object }

function call(method: string, path: string, { headers = {}, body = {} }: CallOptions = {}) {
  return fetch(gateway.url + path, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: JSON.stringify(body) }),
  })
}

function routesUnder(realm: string): { method: string; path: string }[] {
  return gateway.app.routes
    .filter(({ url }) => url.startsWith(`/${realm}/`))
    .flatMap(({ method, url }) =>
      [method]
        .flat()
        .map(name => ({ method: name, path: url.replace(/:\w+/g, 'unknown').replace('*', 'unknown') })),
    )
}

/** What strangers may call: everything else asks for a session of its own realm. */
const OPEN = new Set([
  'config',
  'sign-in',
  'sign-up',
  'sign-in/second-factor',
  'password/forgotten',
  'password/reset',
])

describe.each(['client', 'admin'])('under /%s', realm => {
  const other = realm === 'client' ? 'admin' : 'client'

  test('all lists are told alike', async () => {
    const headers = { cookie: cookies[realm] ?? '' }
    let lists = 0
    for (const { method, path } of routesUnder(realm)) {
      if (method !== 'GET') continue
      const text = await (await call(method, path, { headers })).text()
      if (!text.startsWith('{"object":"list"')) continue
      expect({ path, ...JSON.parse(text) }).toMatchObject({
        path,
        data: expect.any(Array),
        next_cursor: null,
      })
      lists++
    }
    expect(lists).toBeGreaterThan(5)
  })

  test('there is something to sweep', () => {
    expect(routesUnder(realm).length).toBeGreaterThan(20)
  })

  test('nothing is changed in the name of another site, whatever cookie comes along', async () => {
    for (const { method, path } of routesUnder(realm)) {
      if (method === 'GET' || method === 'HEAD') continue
      for (const origin of ['https://evil.example', 'null']) {
        const headers = { origin, cookie: cookies[realm] ?? '' }
        expect([path, origin, (await call(method, path, { headers })).status]).toEqual([path, origin, 403])
      }
    }
    expect((await call('GET', `/${realm}/me`, { headers: { cookie: cookies[realm] ?? '' } })).status).toBe(
      200,
    )
  })

  test('the session of the other application opens nothing, nor does its cookie under our name', async () => {
    const theirs = cookies[other] ?? ''
    const renamed = theirs.replace(`goldweight_${other}=`, `goldweight_${realm}=`)
    for (const { method, path } of routesUnder(realm)) {
      if (OPEN.has(path.slice(realm.length + 2))) continue
      for (const cookie of ['', theirs, renamed]) {
        expect([path, (await call(method, path, { headers: { cookie } })).status]).toEqual([path, 401])
      }
    }
  })

  test('what is open to strangers is just this', async () => {
    const found = new Set<string>()
    for (const { method, path } of routesUnder(realm)) {
      if ((await call(method, path)).status !== 401) found.add(path.slice(realm.length + 2))
    }
    // A sign-in with nothing in it is refused as such.
    expect([...found].filter(path => !OPEN.has(path))).toEqual([])
  })

  test('nothing of it is kept by a cache', async () => {
    for (const { method, path } of routesUnder(realm)) {
      const response = await call(method, path)
      expect([path, response.headers.get('cache-control')]).toEqual([path, 'no-store'])
    }
  })
})
