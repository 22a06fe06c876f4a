import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN } from '#test/support/admin-client.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'

/** What an administrator does about their own sign-in, whatever the role. */
const OWN =
  /^\/admin\/(me|profile|password|sessions|sign-out|sign-in|config|two-factor|email|identities|oidc)/

let gateway: TestGateway
let viewer: string
let operator: string
let owner: string
beforeAll(async () => {
  gateway = await startGateway()
  for (const role of ['viewer', 'operator'] as const) {
    await gateway.admin.call('POST', '/admin/administrators', {
      email: `${role}@example.org`,
      name: role,
      password: 'long enough password',
      role,
    })
  }
  viewer = await signIn('viewer@example.org', 'long enough password')
  operator = await signIn('operator@example.org', 'long enough password')
  owner = await signIn(ADMIN.email, ADMIN.password)
})
afterAll(() => gateway.close())

async function signIn(email: string, password: string): Promise<string> {
  const response = await call('POST', '/admin/sign-in', { body: { email, password } })
  expect(response.status).toBe(200)
  return (response.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? ''
}

// biome-ignore lint/suspicious/noExplicitAny: replies are read as JSON is, and each test says what it expects
async function bodyOf(response: Response): Promise<any> {
  return await response.json()
}

function call(method: string, path: string, { cookie, body }: { cookie?: string; body?: unknown } = {}) {
  return fetch(gateway.url + path, {
    method,
    headers: { ...(cookie === undefined ? {} : { cookie }), 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  })
}

/** Every route that is registered under /admin: new ones are swept by themselves. */
function adminRoutes(): { method: string; path: string; admits: string | undefined }[] {
  return gateway.app.routes
    .filter((route: RouteOptions) => route.url.startsWith('/admin'))
    .flatMap((route: RouteOptions) =>
      [route.method].flat().map(method => ({
        method,
        path: route.url.replace(/:\w+/g, 'unknown').replace('*', 'unknown'),
        admits: route.config?.admits,
      })),
    )
    .filter(route => route.method !== 'HEAD' && !OWN.test(route.path))
}

describe('routes of the administration', () => {
  test('the sweep finds them', () => {
    expect(adminRoutes().length).toBeGreaterThan(30)
    expect(adminRoutes().some(route => route.admits === 'owners')).toBe(true)
  })

  test('none answers a stranger, a customer, or a key', async () => {
    for (const { method, path } of adminRoutes()) {
      expect([path, (await call(method, path)).status]).toEqual([path, 401])
      const withKey = await fetch(gateway.url + path, { method, headers: { authorization: 'Bearer gw_abc' } })
      expect([path, withKey.status]).toEqual([path, 401])
    }
  })

  test('a viewer reads everything and changes nothing', async () => {
    for (const { method, path } of adminRoutes()) {
      const { status } = await call(method, path, { cookie: viewer })
      if (method === 'GET')
        expect([path, status === 200 || status === 404 || status === 400]).toEqual([path, true])
      else expect([method, path, status]).toEqual([method, path, 403])
    }
  })

  test('an operator changes all but what belongs to owners', async () => {
    for (const { method, path, admits } of adminRoutes()) {
      if (method === 'GET') continue
      const { status } = await call(method, path, { cookie: operator })
      expect([method, path, status === 403]).toEqual([method, path, admits === 'owners'])
    }
  })
})

describe('administrators', () => {
  const me = async () => (await bodyOf(await call('GET', '/admin/me', { cookie: owner }))).administrator

  test('say what they are, without a password', async () => {
    const response = await call('GET', '/admin/administrators', { cookie: viewer })
    const { data } = await bodyOf(response)
    expect(data).toContainEqual({
      id: expect.stringMatching(/^adm_/),
      object: 'administrator',
      email: 'viewer@example.org',
      name: 'viewer',
      role: 'viewer',
      status: 'active',
      two_factor: false,
      created_at: expect.any(String),
    })
    expect(await me()).toMatchObject({ role: 'owner' })
  })

  test('somebody owns the service at all times, however many step down at once', async () => {
    const made = await gateway.admin.call<{ id: string }>('POST', '/admin/administrators', {
      email: 'second@example.org',
      name: 'Second',
      password: 'long enough password',
      role: 'owner',
    })
    const { id } = await me()
    const both = await Promise.all(
      [id, made.id].map(each =>
        call('PATCH', `/admin/administrators/${each}`, { cookie: owner, body: { role: 'viewer' } }),
      ),
    )
    const statuses = both.map(response => response.status)
    expect(statuses.filter(status => status === 200).length).toBeLessThanOrEqual(1)
    const rows = await gateway.app.storage.db
      .selectFrom('administrators')
      .select('id')
      .where('role', '=', 'owner')
      .where('status', '=', 'active')
      .execute()
    expect(rows.length).toBeGreaterThanOrEqual(1)
    // Whoever stepped down is put back, so that the tests after this one have their owner.
    const update = gateway.app.storage.db
      .updateTable('administrators')
      .set({ role: 'owner' })
      .where('id', '=', id)
    await gateway.app.storage.commit([{ query: update }])
    owner = await signIn(ADMIN.email, ADMIN.password)
  })

  test('one who is disabled or given another role is signed out at once', async () => {
    const { id } = await bodyOf(
      await call('POST', '/admin/administrators', {
        cookie: owner,
        body: { email: 'gone@example.org', name: 'Gone', password: 'long enough password', role: 'operator' },
      }),
    )
    const cookie = await signIn('gone@example.org', 'long enough password')
    expect((await call('GET', '/admin/accounts', { cookie })).status).toBe(200)
    const path = `/admin/administrators/${id}`
    expect((await call('PATCH', path, { cookie: owner, body: { status: 'disabled' } })).status).toBe(200)
    expect((await call('GET', '/admin/accounts', { cookie })).status).toBe(401)
    const again = { body: { email: 'gone@example.org', password: 'long enough password' } }
    expect((await call('POST', '/admin/sign-in', again)).status).toBe(401)
  })

  test('where a second factor is required, one without it can do nothing but set one up', async () => {
    const settings = (on: boolean) =>
      call('PATCH', '/admin/settings', { cookie: owner, body: { require_two_factor: on } })
    expect((await settings(true)).status).toBe(200)
    const refused = await call('GET', '/admin/accounts', { cookie: operator })
    expect(refused.status).toBe(403)
    expect((await bodyOf(refused)).error).toMatchObject({
      type: 'permission_error',
      code: 'two_factor_required',
    })
    expect((await call('GET', '/admin/me', { cookie: operator })).status).toBe(200)
    const body = { current_password: 'long enough password' }
    expect((await call('POST', '/admin/two-factor', { cookie: operator, body })).status).toBeLessThan(300)
  })
})
