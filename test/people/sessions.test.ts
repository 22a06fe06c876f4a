import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBrowser, signInAdministrator, signUp } from './browser.ts'
import { ADMINISTRATOR, type PeopleService, startPeopleService } from './people-service.ts'

let service: PeopleService
beforeAll(async () => {
  service = await startPeopleService()
})
afterAll(() => service.close())

const DAY_MS = 24 * 3600 * 1000
const PASSWORD = 'correct horse battery'

describe('the portal', () => {
  test('signing up makes a user with an account, and signs in', async () => {
    const browser = createBrowser(service.app)
    const reply = await browser.post('/client/sign-up', {
      email: 'Ada@Example.org',
      password: PASSWORD,
      name: 'Ada',
    })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      user: { id: expect.stringMatching(/^usr_/), email: 'ada@example.org', name: 'Ada' },
      account: {
        id: expect.stringMatching(/^acc_/),
        name: 'Ada',
        used: 0,
        quota: 0,
        remaining: 0,
        credit_status: 'exhausted',
      },
    })
    const me = await createBrowser(service.app, reply.cookie).get('/client/me')
    expect(me).toMatchObject({ status: 200, body: reply.body })
    expect(me.headers['cache-control']).toBe('no-store')
  })

  test('the cookie is out of reach of scripts and bound to its application', async () => {
    const reply = await createBrowser(service.app).post('/client/sign-in', {
      email: 'ADA@example.org',
      password: PASSWORD,
    })
    expect(reply.status).toBe(200)
    expect(reply.cookies).toEqual([
      expect.stringMatching(
        /^goldweight_client=[^;]+; Max-Age=2592000; Path=\/client; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^goldweight_client_device=[^;]+; Max-Age=31536000; Path=\/client; HttpOnly; SameSite=Lax$/,
      ),
    ])
  })

  test('an e-mail belongs to one user, whatever its case', async () => {
    await signUp(service.app, 'twice@example.org')
    const again = { email: 'TWICE@example.org', password: PASSWORD, name: 'x' }
    expect(await createBrowser(service.app).post('/client/sign-up', again)).toMatchObject({
      status: 409,
      body: { error: { type: 'conflict_error', code: null } },
    })
  })

  test('a password has at least ten characters', async () => {
    const body = { email: 'short@example.org', password: '123456789', name: 'x' }
    const reply = await createBrowser(service.app).post('/client/sign-up', body)
    expect(reply).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
    expect(reply.body.error.message).toContain('password')
    expect(JSON.stringify(reply.body)).not.toContain('123456789')
  })

  test('a closed sign-up is forbidden, and opens again', async () => {
    const root = await signInAdministrator(service.app, ADMINISTRATOR)
    expect((await root.patch('/admin/settings', { sign_up: 'closed' })).status).toBe(200)
    const body = { email: 'late@example.org', password: PASSWORD, name: 'x' }
    const refusal = await createBrowser(service.app).post('/client/sign-up', body)
    expect(refusal).toMatchObject({ status: 403, body: { error: { type: 'permission_error' } } })
    await root.patch('/admin/settings', { sign_up: 'open' })
    expect((await createBrowser(service.app).post('/client/sign-up', body)).status).toBe(201)
  })

  test('an unknown e-mail and a wrong password get the same answer', async () => {
    await signUp(service.app, 'known@example.org')
    const browser = createBrowser(service.app)
    const wrong = await browser.post('/client/sign-in', {
      email: 'known@example.org',
      password: 'not this one',
    })
    const unknown = await browser.post('/client/sign-in', {
      email: 'none@example.org',
      password: 'not this one',
    })
    expect(wrong.status).toBe(401)
    expect(wrong.body.error.type).toBe('authentication_error')
    expect(unknown.status).toBe(wrong.status)
    expect(unknown.body).toEqual(wrong.body)
    expect(unknown.cookie).toBeNull()
  })

  test('signing out ends the session, also for whoever kept the cookie', async () => {
    const browser = await signUp(service.app, 'leaves@example.org')
    const out = await browser.post('/client/sign-out')
    expect(out.status).toBe(204)
    expect(String(out.headers['set-cookie'])).toContain('Max-Age=0')
    expect((await browser.get('/client/me')).status).toBe(401)
    expect((await browser.post('/client/sign-out')).status).toBe(401)
  })

  test('an empty body that claims to be JSON is no body', async () => {
    const browser = await signUp(service.app, 'empty@example.org')
    const headers = { 'content-type': 'application/json' }
    expect((await browser.call('DELETE', '/client/keys/key_none', { headers })).status).toBe(404)
    expect((await browser.call('POST', '/client/keys', { headers })).status).toBe(400)
    expect((await browser.call('POST', '/client/sign-out', { headers })).status).toBe(204)
  })

  test('what is not JSON is refused', async () => {
    const browser = createBrowser(service.app)
    const broken = await browser.call('POST', '/client/sign-in', {
      body: '{"email":',
      headers: { 'content-type': 'application/json' },
    })
    expect(broken).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const reply = await browser.call('POST', '/client/sign-in', {
        body: '{}',
        headers: { 'content-type': type },
      })
      expect(reply).toMatchObject({ status: 415, body: { error: { type: 'invalid_request_error' } } })
    }
  })
})

test('strangers learn what there is to sign in by, and nothing else', async () => {
  const root = await signInAdministrator(service.app, ADMINISTRATOR)
  const nobody = createBrowser(service.app)
  const branding = { name: 'Goldweight', logo: null, colour: null }
  const config = { object: 'config', ...branding, sign_up: 'open', mail: false, oidc: null }
  const reply = await nobody.get('/client/config')
  expect(reply).toMatchObject({ status: 200, body: config })
  expect(reply.headers['cache-control']).toBe('no-store')
  expect((await nobody.get('/admin/config')).body).toEqual({ ...config, sign_up: 'closed' })
  const brand = { name: 'Acme', colour: '#0a7f5c' }
  await root.patch('/admin/settings', { sign_up: 'closed', branding: brand })
  expect((await nobody.get('/client/config')).body).toEqual({ ...config, ...brand, sign_up: 'closed' })
  await root.patch('/admin/settings', { sign_up: 'open', branding })
})

describe('the two realms', () => {
  test('every route but the doors asks for a session', async () => {
    const nobody = createBrowser(service.app)
    const routes = [
      'GET /client/me',
      'GET /client/profile',
      'PATCH /client/profile',
      'POST /client/password',
      'POST /client/email',
      'POST /client/email/verification',
      'POST /client/email/verify',
      'GET /client/identities',
      'POST /client/identities',
      'POST /client/identities/idn_1/unlink',
      'POST /client/two-factor',
      'POST /client/two-factor/confirm',
      'POST /client/two-factor/disable',
      'POST /client/two-factor/recovery-codes',
      'GET /client/sessions',
      'DELETE /client/sessions',
      'DELETE /client/sessions/ses_1',
      'POST /client/sign-out',
      'GET /client/keys',
      'POST /client/keys',
      'DELETE /client/keys/key_1',
      'GET /client/ledger',
      'GET /client/requests',
      'GET /admin/me',
      'GET /admin/profile',
      'PATCH /admin/profile',
      'POST /admin/password',
      'POST /admin/email',
      'POST /admin/email/verification',
      'POST /admin/email/verify',
      'GET /admin/identities',
      'POST /admin/identities',
      'POST /admin/identities/idn_1/unlink',
      'POST /admin/two-factor',
      'POST /admin/two-factor/confirm',
      'POST /admin/two-factor/disable',
      'POST /admin/two-factor/recovery-codes',
      'DELETE /admin/users/usr_1/two-factor',
      'GET /admin/sessions',
      'DELETE /admin/sessions',
      'DELETE /admin/sessions/ses_1',
      'POST /admin/sign-out',
      'GET /admin/accounts',
      'POST /admin/accounts',
      'GET /admin/accounts/acc_1',
      'PATCH /admin/accounts/acc_1',
      'POST /admin/accounts/acc_1/credits',
      'GET /admin/accounts/acc_1/ledger',
      'GET /admin/users',
      'POST /admin/users',
      'PATCH /admin/users/usr_1',
      'GET /admin/keys',
      'POST /admin/keys',
      'PATCH /admin/keys/key_1',
      'DELETE /admin/keys/key_1',
      'GET /admin/settings',
      'PATCH /admin/settings',
      'GET /admin/audit',
      'GET /admin/requests',
    ]
    for (const route of routes) {
      const [method = '', url = ''] = route.split(' ')
      const reply = await nobody.call(method, url)
      expect(reply, route).toMatchObject({ status: 401, body: { error: { type: 'authentication_error' } } })
    }
  })

  test('the cookie of one is worth nothing in the other, under whatever name', async () => {
    const user = await signUp(service.app, 'crosses@example.org')
    const root = await signInAdministrator(service.app, ADMINISTRATOR)
    const value = (cookie: string | null) => cookie?.slice(cookie.indexOf('=') + 1)
    for (const cookie of [user.cookie, `goldweight_admin=${value(user.cookie)}`]) {
      expect((await createBrowser(service.app, cookie).get('/admin/me')).status).toBe(401)
    }
    for (const cookie of [root.cookie, `goldweight_client=${value(root.cookie)}`]) {
      expect((await createBrowser(service.app, cookie).get('/client/me')).status).toBe(401)
    }
    // Nor is the token itself, past cookies and signatures.
    const token = String(value(user.cookie)).split('.')[0] ?? ''
    expect(await service.sessions.findUser(token)).not.toBeNull()
    expect(await service.sessions.findAdministrator(token)).toBeNull()
  })

  test('the password of one opens nothing in the other', async () => {
    await signUp(service.app, 'doors@example.org')
    const pair = { email: 'doors@example.org', password: PASSWORD }
    expect((await createBrowser(service.app).post('/admin/sign-in', pair)).status).toBe(401)
    expect((await createBrowser(service.app).post('/client/sign-in', ADMINISTRATOR)).status).toBe(401)
  })

  test('a forged cookie is refused without a look at the store', async () => {
    const user = await signUp(service.app, 'forged@example.org')
    const token = String(user.cookie).split('.')[0]
    for (const cookie of [String(token), `${token}.AAAA`, `${user.cookie}x`, 'goldweight_client=', 'junk']) {
      expect((await createBrowser(service.app, cookie).get('/client/me')).status).toBe(401)
    }
  })

  test('no key is accepted', async () => {
    const user = await signUp(service.app, 'bearer@example.org')
    const { token } = (await user.post('/client/keys', { name: 'k' })).body
    const headers = { authorization: `Bearer ${token}` }
    for (const url of ['/client/me', '/admin/me']) {
      expect((await createBrowser(service.app).call('GET', url, { headers })).status).toBe(401)
    }
  })

  test('a session ends at its time, however much it is used', async () => {
    const own = await startPeopleService()
    try {
      const user = await signUp(own.app, 'old@example.org')
      const root = await signInAdministrator(own.app, ADMINISTRATOR)
      own.clock.advance(DAY_MS / 2 - 5000)
      expect((await root.get('/admin/me')).status).toBe(200)
      own.clock.advance(10_000)
      expect((await root.get('/admin/me')).status).toBe(401)
      own.clock.advance(29.5 * DAY_MS - 60_000)
      expect((await user.get('/client/me')).status).toBe(200)
      own.clock.advance(60_000)
      expect((await user.get('/client/me')).status).toBe(401)
      await own.sessions.deleteExpired()
      expect(await own.storage.db.selectFrom('sessions').selectAll().execute()).toEqual([])
    } finally {
      await own.close()
    }
  })
})

describe('foreign origins', () => {
  test('a change in the name of another site is forbidden, with a session and without', async () => {
    const user = await signUp(service.app, 'origin@example.org')
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost:81',
      'http://localhost.evil.example',
    ]) {
      const headers = { origin, host: 'localhost:80' }
      for (const [method, url] of [
        ['POST', '/client/sign-in'],
        ['POST', '/client/sign-up'],
        ['POST', '/client/sign-out'],
        ['DELETE', '/client/keys/key_1'],
        ['POST', '/admin/sign-in'],
      ] as const) {
        const reply = await user.call(method, url, { headers, body: method === 'POST' ? {} : undefined })
        expect(reply, `${origin} ${url}`).toMatchObject({
          status: 403,
          body: { error: { type: 'permission_error' } },
        })
      }
      expect((await user.call('GET', '/client/me', { headers })).status).toBe(200)
    }
    for (const origin of ['http://localhost', 'https://localhost']) {
      const headers = { origin, host: 'localhost' }
      expect((await user.call('POST', '/client/keys', { headers, body: { name: 'k' } })).status).toBe(201)
    }
  })

  test('where a public URL is configured, its origin alone is own, and cookies are for https', async () => {
    const own = await startPeopleService({ publicUrl: 'https://gold.example/base' })
    try {
      const pair = { email: 'x@example.org', password: PASSWORD, name: 'x' }
      const browser = createBrowser(own.app)
      const from = (origin: string) =>
        browser.call('POST', '/client/sign-up', { body: pair, headers: { origin, host: 'gold.example' } })
      expect((await from('http://gold.example')).status).toBe(403)
      const reply = await from('https://gold.example')
      expect(reply.status).toBe(201)
      for (const cookie of reply.cookies) expect(cookie).toContain('; Secure')
    } finally {
      await own.close()
    }
  })
})

test('no secret is anywhere in the store', async () => {
  const email = 'secrets@example.org'
  const password = 'a password to look for'
  const user = await signUp(service.app, email, password)
  const { token } = (await user.post('/client/keys', { name: 'k' })).body
  await service.storage.ping()
  const sessionToken = decodeURIComponent(String(user.cookie).split('=')[1] ?? '').split('.')[0] ?? ''
  const bytes = await service.stores.contents()
  expect(bytes.includes(email)).toBe(true)
  for (const secret of [password, ADMINISTRATOR.password, token, token.slice(3, -6), sessionToken]) {
    expect(secret.length).toBeGreaterThan(10)
    expect(bytes.includes(secret)).toBe(false)
  }
})

test('a store that is gone is 503, never a session that is over', async () => {
  const own = await startPeopleService()
  try {
    const user = await signUp(own.app, 'gone@example.org')
    await own.storage.close()
    const pair = { email: 'gone@example.org', password: PASSWORD }
    for (const reply of [await user.get('/client/me'), await user.post('/client/sign-in', pair)]) {
      expect(reply).toMatchObject({ status: 503, body: { error: { type: 'service_unavailable' } } })
    }
  } finally {
    await own.close()
  }
})
