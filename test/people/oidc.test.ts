import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { totpCode } from '#domains/identity/totp.ts'
import { createLog } from '#telemetry/log.ts'
import { type MailServer, startMailServer, tokenIn } from '#test/support/mail-server.ts'
import { type OpenidProvider, startOpenidProvider } from '#test/support/openid-provider.ts'
import { arrive as arriveIn, newBrowser, PASSWORD, type Realm } from './arrive.ts'
import { type Browser, createBrowser, type Reply, signInAdministrator, signUp } from './browser.ts'
import { ADMINISTRATOR, type PeopleService, startPeopleService } from './people-service.ts'

const PUBLIC_URL = 'https://gold.example'
const NEW_PASSWORD = 'another horse battery'

let provider: OpenidProvider
let mailServer: MailServer
let service: PeopleService
const lines: string[] = []
beforeAll(async () => {
  provider = await startOpenidProvider([
    `${PUBLIC_URL}/client/oidc/callback`,
    `${PUBLIC_URL}/admin/oidc/callback`,
  ])
  mailServer = await startMailServer()
  const { issuer, clientId, clientSecret } = provider
  service = await startPeopleService({
    publicUrl: PUBLIC_URL,
    mail: { url: mailServer.url, from: 'gold@example.org', publicUrl: PUBLIC_URL },
    oidc: { issuer, clientId, clientSecret, name: 'Acme', publicUrl: PUBLIC_URL },
    log: createLog('debug', { write: line => void lines.push(line) }),
  })
})
afterAll(async () => {
  await service.close()
  await provider.close()
  await mailServer.close()
})

const arrive = (realm: Realm, count: number) => arriveIn(service, realm, count)
const locationOf = (reply: Reply): string => String(reply.headers.location)
const pathOf = (url: URL): string => url.pathname + url.search

/** Away to the provider and back to the callback, with the cookies of this browser. */
async function goThrough(browser: Browser, realm: Realm, from?: string): Promise<Reply> {
  const query = from === undefined ? '' : `?from=${encodeURIComponent(from)}`
  const start = await browser.get(`/${realm}/oidc/start${query}`)
  expect(start.status).toBe(303)
  return browser.get(pathOf(await provider.visit(locationOf(start))))
}

const me = (browser: Browser, realm: Realm) => browser.get(`/${realm}/me`)

/** Has whoever owns the address confirm it, as the user who is signed in with this browser. */
async function confirm(browser: Browser, email: string): Promise<void> {
  const token = tokenIn(await mailServer.mailTo(email, /Confirm your e-mail/))
  expect((await browser.post('/client/email/verify', { token })).status).toBe(200)
}

describe('the way to the provider and back', () => {
  test('a browser is sent away with state, nonce and PKCE, and keeps them in a cookie it can not read', async () => {
    const reply = await newBrowser(service).get('/client/oidc/start')
    const url = new URL(locationOf(reply))
    expect(url.origin).toBe(provider.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'goldweight',
      redirect_uri: `${PUBLIC_URL}/client/oidc/callback`,
      response_type: 'code',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/.{20}/),
      nonce: expect.stringMatching(/.{20}/),
    })
    const [cookie = ''] = reply.cookies
    expect(cookie).toMatch(
      /^goldweight_client_oidc=v1\.[^;]+; Max-Age=600; Path=\/client\/oidc; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(cookie).not.toContain(String(url.searchParams.get('state')))
  })

  test('somebody new is signed up without a password, with an address that is confirmed', async () => {
    provider.signInAs({ sub: 'new', email: 'New@Example.org', email_verified: true, name: 'Nova\u0007 New' })
    const browser = newBrowser(service)
    const reply = await goThrough(browser, 'client', '/keys?page=2')
    expect(reply.status).toBe(303)
    expect(locationOf(reply)).toBe(`${PUBLIC_URL}/portal/keys?page=2`)
    expect((await me(browser, 'client')).body).toMatchObject({
      user: { email: 'new@example.org', name: 'Nova  New' },
      account: { name: 'Nova  New', credit_status: 'exhausted' },
    })
    expect((await browser.get('/client/profile')).body).toMatchObject({
      email_verified: true,
      has_password: false,
    })
    const pair = { email: 'new@example.org', password: '' }
    expect((await newBrowser(service).post('/client/sign-in', pair)).status).toBe(400)
    expect((await newBrowser(service).post('/client/sign-in', { ...pair, password: PASSWORD })).status).toBe(
      401,
    )
  })

  test('who came before is the same person again, whatever their e-mail is now', async () => {
    provider.signInAs({ sub: 'returns', email: 'returns@example.org', email_verified: true })
    const first = newBrowser(service)
    await goThrough(first, 'client')
    provider.signInAs({ sub: 'returns', email: 'renamed@example.org', email_verified: false })
    const again = newBrowser(service)
    await goThrough(again, 'client')
    expect((await me(again, 'client')).body.user.id).toBe((await me(first, 'client')).body.user.id)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/../../../evil',
    '/@evil.example',
  ])('%s leads to no other site', async from => {
    provider.signInAs({ sub: 'redirected', email: 'redirected@example.org', email_verified: true })
    const reply = await goThrough(newBrowser(service), 'client', from)
    expect(new URL(locationOf(reply)).origin).toBe(PUBLIC_URL)
  })

  test('who says no at the provider is back at the sign-in page', async () => {
    provider.signInAs(null)
    const browser = newBrowser(service)
    const reply = await goThrough(browser, 'client', '/keys')
    expect(locationOf(reply)).toBe(`${PUBLIC_URL}/portal/sign-in?error=oidc_denied&from=%2Fkeys`)
    expect((await me(browser, 'client')).status).toBe(401)
  })

  test('a session that the browser had ends, and its token is not used again', async () => {
    provider.signInAs({ sub: 'fixed', email: 'fixed@example.org', email_verified: true })
    const { browsers } = await arrive('client', 1)
    const [browser] = browsers
    if (!browser) throw new Error('Somebody is signed in')
    const before = /goldweight_client=[^;]+/.exec(String(browser.cookie))?.[0] ?? ''
    await goThrough(browser, 'client')
    expect((await me(createBrowser(service.app, before), 'client')).status).toBe(401)
    expect((await me(browser, 'client')).body.user.email).toBe('fixed@example.org')
  })
})

describe('answers that are worth nothing', () => {
  test('a return to another browser than the one sent away', async () => {
    provider.signInAs({ sub: 'stolen', email: 'stolen@example.org', email_verified: true })
    const start = await newBrowser(service).get('/client/oidc/start')
    const back = await provider.visit(locationOf(start))
    const other = newBrowser(service)
    expect(locationOf(await other.get(pathOf(back)))).toContain('error=oidc_expired')
    await other.get('/client/oidc/start')
    expect(locationOf(await other.get(pathOf(back)))).toContain('error=oidc_failed')
    expect((await me(other, 'client')).status).toBe(401)
  })

  test('a return that was used before, also with the cookie that went with it', async () => {
    provider.signInAs({ sub: 'replayed', email: 'replayed@example.org', email_verified: true })
    const browser = newBrowser(service)
    const start = await browser.get('/client/oidc/start')
    const kept = String(browser.cookie)
    const back = pathOf(await provider.visit(locationOf(start)))
    expect(locationOf(await browser.get(back))).toBe(`${PUBLIC_URL}/portal/`)
    expect(locationOf(await browser.get(back))).toContain('error=oidc_expired')
    const thief = createBrowser(service.app, kept)
    expect(locationOf(await thief.get(back))).toMatch(/error=oidc_(failed|expired)/)
  })

  test('the code of one sign-in in the answer to another', async () => {
    provider.signInAs({ sub: 'victim', email: 'victim@example.org', email_verified: true })
    const theirs = await newBrowser(service).get('/client/oidc/start')
    const code = (await provider.visit(locationOf(theirs))).searchParams.get('code')
    const browser = newBrowser(service)
    const back = await provider.visit(locationOf(await browser.get('/client/oidc/start')))
    back.searchParams.set('code', String(code))
    expect(locationOf(await browser.get(pathOf(back)))).toContain('error=oidc_failed')
    expect((await me(browser, 'client')).status).toBe(401)
  })

  test('an answer in the name of another issuer', async () => {
    provider.signInAs({ sub: 'mixed', email: 'mixed@example.org', email_verified: true })
    const browser = newBrowser(service)
    const back = await provider.visit(locationOf(await browser.get('/client/oidc/start')))
    back.searchParams.set('iss', 'https://evil.example')
    expect(locationOf(await browser.get(pathOf(back)))).toContain('error=oidc_failed')
  })

  test('a return after ten minutes', async () => {
    const own = await startPeopleService({
      publicUrl: PUBLIC_URL,
      oidc: { ...provider, name: 'Acme', publicUrl: PUBLIC_URL },
    })
    try {
      provider.signInAs({ sub: 'late', email: 'late@example.org', email_verified: true })
      const browser = newBrowser(own)
      const back = await provider.visit(locationOf(await browser.get('/client/oidc/start')))
      own.clock.advance(10 * 60_000)
      expect(locationOf(await browser.get(pathOf(back)))).toContain('error=oidc_expired')
    } finally {
      await own.close()
    }
  })

  test('a cookie of the other realm, or an altered one', async () => {
    provider.signInAs({ sub: 'crossed', email: ADMINISTRATOR.email, email_verified: true })
    const browser = newBrowser(service)
    const back = await provider.visit(locationOf(await browser.get('/client/oidc/start')))
    const value = /goldweight_client_oidc=([^;]+)/.exec(String(browser.cookie))?.[1]
    const across = createBrowser(service.app, `goldweight_admin_oidc=${value}`)
    expect(locationOf(await across.get(pathOf(back).replace('/client/', '/admin/')))).toContain(
      'oidc_expired',
    )
    const altered = createBrowser(service.app, `goldweight_client_oidc=${value?.slice(0, -2)}AA`)
    expect(locationOf(await altered.get(pathOf(back)))).toContain('error=oidc_expired')
  })
})

describe('whose account it is', () => {
  test('an address that both sides have confirmed is the same person, who is told by mail', async () => {
    const email = 'both@example.org'
    const known = await signUp(service.app, email)
    await confirm(known, email)
    provider.signInAs({ sub: 'both', email, email_verified: true })
    const browser = newBrowser(service)
    await goThrough(browser, 'client')
    expect((await me(browser, 'client')).body.user.id).toBe((await me(known, 'client')).body.user.id)
    await mailServer.mailTo(email, /Another way to sign in/)
  })

  test('who claimed an address before its owner shares no account with them', async () => {
    const email = 'claimed@example.org'
    const squatter = await signUp(service.app, email, 'the squatter’s password')
    provider.signInAs({ sub: 'owner', email, email_verified: true })
    const owner = newBrowser(service)
    expect(locationOf(await goThrough(owner, 'client'))).toContain('error=oidc_email_taken')
    expect((await me(owner, 'client')).status).toBe(401)
    expect((await squatter.get('/client/identities')).body.data).toEqual([])
    // Nor does the owner confirm the address for the other: that takes their session.
    const token = tokenIn(await mailServer.mailTo(email, /Confirm/))
    const { browsers } = await arrive('client', 1)
    expect((await browsers[0]?.post('/client/email/verify', { token }))?.status).toBe(403)
    expect((await squatter.get('/client/profile')).body.email_verified).toBe(false)
  })

  test('who takes an unconfirmed address over by mail shuts out whatever was connected before', async () => {
    const email = 'overtaken@example.org'
    const squatter = await signUp(service.app, email, PASSWORD)
    provider.signInAs({ sub: 'squatter', email: 'squatter@example.org', email_verified: true })
    const begun = await squatter.post('/client/identities', { current_password: PASSWORD })
    const cookies = [squatter.cookie, begun.cookies[0]?.split(';', 1)[0]].join('; ')
    await createBrowser(service.app, cookies).get(pathOf(await provider.visit(begun.body.url)))
    expect((await squatter.get('/client/identities')).body.data).toHaveLength(1)

    await newBrowser(service).post('/client/password/forgotten', { email })
    const token = tokenIn(await mailServer.mailTo(email, /Choose a new password/))
    const owner = newBrowser(service)
    expect((await owner.post('/client/password/reset', { token, password: NEW_PASSWORD })).status).toBe(204)
    const back = newBrowser(service)
    await goThrough(back, 'client')
    expect((await me(back, 'client')).body.user.email).toBe('squatter@example.org')
  })

  test('an e-mail that the provider does not vouch for makes no account and opens none', async () => {
    const email = 'vouched@example.org'
    const known = await signUp(service.app, email)
    await confirm(known, email)
    for (const claim of [{ email, email_verified: false }, { email }, {}]) {
      provider.signInAs({ sub: `unvouched-${JSON.stringify(claim)}`, ...claim })
      expect(locationOf(await goThrough(newBrowser(service), 'client'))).toContain(
        'error=oidc_email_unverified',
      )
    }
    provider.signInAs({ sub: 'unvouched', email: 'unvouched@example.org', email_verified: false })
    expect(locationOf(await goThrough(newBrowser(service), 'client'))).toContain(
      'error=oidc_email_unverified',
    )
  })

  test('closed to sign-up, nobody new gets in', async () => {
    const root = await signInAdministrator(service.app, ADMINISTRATOR)
    await root.patch('/admin/settings', { sign_up: 'closed' })
    try {
      provider.signInAs({ sub: 'closed', email: 'closed@example.org', email_verified: true })
      expect(locationOf(await goThrough(newBrowser(service), 'client'))).toContain(
        'error=oidc_sign_up_closed',
      )
    } finally {
      await root.patch('/admin/settings', { sign_up: 'open' })
    }
  })

  test('a disabled user stays out', async () => {
    provider.signInAs({ sub: 'disabled', email: 'disabled@example.org', email_verified: true })
    const browser = newBrowser(service)
    await goThrough(browser, 'client')
    const root = await signInAdministrator(service.app, ADMINISTRATOR)
    const { user } = (await me(browser, 'client')).body
    await root.patch(`/admin/users/${user.id}`, { status: 'disabled' })
    expect(locationOf(await goThrough(newBrowser(service), 'client'))).toContain('error=oidc_unknown')
  })

  test('two who come for the first time at once are one user', async () => {
    provider.signInAs({ sub: 'twins', email: 'twins@example.org', email_verified: true })
    const replies = await Promise.all([1, 2, 3].map(() => goThrough(newBrowser(service), 'client')))
    expect(replies.filter(reply => locationOf(reply) === `${PUBLIC_URL}/portal/`).length).toBeGreaterThan(0)
    const { db } = service.storage
    const users = await db.selectFrom('users').select('id').where('email', '=', 'twins@example.org').execute()
    expect(users).toHaveLength(1)
  })

  test('nobody becomes an administrator by the provider, whose address it may be', async () => {
    provider.signInAs({ sub: 'operator', email: ADMINISTRATOR.email, email_verified: true })
    expect(locationOf(await goThrough(newBrowser(service), 'admin'))).toBe(
      `${PUBLIC_URL}/console/sign-in?error=oidc_email_taken&from=%2F`,
    )
    provider.signInAs({ sub: 'stranger', email: 'stranger@example.org', email_verified: true })
    expect(locationOf(await goThrough(newBrowser(service), 'admin'))).toContain('error=oidc_unknown')
  })
})

describe.each<Realm>(['client', 'admin'])('connecting an identity in the %s realm', realm => {
  async function connect(browser: Browser, password = PASSWORD): Promise<Reply> {
    const begun = await browser.post(`/${realm}/identities`, { current_password: password, from: '/account' })
    expect(begun.status).toBe(200)
    return browser.get(pathOf(await provider.visit(begun.body.url)))
  }

  test('whoever is signed in connects one, signs in by it, and disconnects it', async () => {
    const { email, browsers } = await arrive(realm, 1)
    const [mine] = browsers
    if (!mine) throw new Error('Somebody is signed in')
    provider.signInAs({ sub: `linked-${email}`, email: 'elsewhere@example.com' })
    const page = realm === 'client' ? 'portal' : 'console'
    expect(locationOf(await connect(mine))).toBe(`${PUBLIC_URL}/${page}/account`)
    const [identity] = (await mine.get(`/${realm}/identities`)).body.data
    expect(identity).toMatchObject({ object: 'external_identity', issuer: provider.issuer, email: null })

    const browser = newBrowser(service)
    await goThrough(browser, realm)
    expect((await browser.get(`/${realm}/profile`)).body.email).toBe(email)

    const unlink = (password: string) =>
      mine.post(`/${realm}/identities/${identity.id}/unlink`, { current_password: password })
    expect((await unlink('not this one')).status).toBe(403)
    expect((await unlink(PASSWORD)).status).toBe(204)
    expect((await unlink(PASSWORD)).status).toBe(404)
    expect(locationOf(await goThrough(newBrowser(service), realm))).toContain('error=oidc_')
  })

  test('it takes the password, and the session that began it', async () => {
    const { email, browsers } = await arrive(realm, 1)
    const [mine] = browsers
    if (!mine) throw new Error('Somebody is signed in')
    expect((await mine.post(`/${realm}/identities`, { current_password: 'not this one' })).status).toBe(403)
    provider.signInAs({ sub: `begun-${email}` })
    const begun = await mine.post(`/${realm}/identities`, { current_password: PASSWORD, from: '/account' })
    const back = pathOf(await provider.visit(begun.body.url))
    await mine.post(`/${realm}/sign-in`, { email, password: PASSWORD })
    expect(locationOf(await mine.get(back))).toContain('/account?error=oidc_expired')
    expect((await mine.get(`/${realm}/identities`)).body.data).toEqual([])
  })

  test('an identity belongs to one person', async () => {
    const first = await arrive(realm, 1)
    const second = await arrive(realm, 1)
    provider.signInAs({ sub: `shared-${first.email}` })
    for (const [{ browsers }, expected] of [
      [first, '/account'],
      [second, '/account?error=oidc_identity_taken'],
    ] as const) {
      const [browser] = browsers
      if (!browser) throw new Error('Somebody is signed in')
      expect(locationOf(await connect(browser)).endsWith(expected)).toBe(true)
    }
  })
})

test('who has no password can not disconnect the identity they sign in by', async () => {
  provider.signInAs({ sub: 'only', email: 'only@example.org', email_verified: true })
  const browser = newBrowser(service)
  await goThrough(browser, 'client')
  const [identity] = (await browser.get('/client/identities')).body.data
  expect((await browser.post(`/client/identities/${identity.id}/unlink`, {})).status).toBe(409)
  // A first password is chosen right after signing in, and not later in an old session.
  service.clock.advance(11 * 60_000)
  const body = { new_password: NEW_PASSWORD }
  expect((await browser.post('/client/password', body)).status).toBe(403)
  const fresh = newBrowser(service)
  await goThrough(fresh, 'client')
  expect((await fresh.post('/client/password', body)).status).toBe(204)
  const unlink = { current_password: NEW_PASSWORD }
  expect((await fresh.post(`/client/identities/${identity.id}/unlink`, unlink)).status).toBe(204)
})

test('a second factor that is on is asked for here, too', async () => {
  provider.signInAs({ sub: 'careful', email: 'careful@example.org', email_verified: true })
  const mine = newBrowser(service)
  await goThrough(mine, 'client')
  const { secret } = (await mine.post('/client/two-factor', {})).body
  const codeNow = () => totpCode(secret, Math.floor(service.clock.now() / 30_000))
  expect((await mine.post('/client/two-factor/confirm', { code: codeNow() })).status).toBe(200)
  service.clock.advance(30_000)

  const browser = newBrowser(service)
  const reply = await goThrough(browser, 'client', '/keys')
  expect(locationOf(reply)).toBe(`${PUBLIC_URL}/portal/sign-in?step=second-factor&from=%2Fkeys`)
  expect((await me(browser, 'client')).status).toBe(401)
  expect((await browser.post('/client/sign-in/second-factor', { code: codeNow() })).status).toBe(200)
  expect((await me(browser, 'client')).status).toBe(200)
})

test('a provider that is down is said so, and is asked again the next time', async () => {
  const { issuer, clientId, clientSecret } = provider
  const own = await startPeopleService({
    publicUrl: PUBLIC_URL,
    oidc: { issuer, clientId, clientSecret, name: 'Acme', publicUrl: PUBLIC_URL },
  })
  try {
    provider.setDown(true)
    const reply = await newBrowser(own).get('/client/oidc/start?from=/keys')
    expect(locationOf(reply)).toBe(`${PUBLIC_URL}/portal/sign-in?error=oidc_unavailable&from=%2Fkeys`)
    provider.setDown(false)
    expect(locationOf(await newBrowser(own).get('/client/oidc/start'))).toContain(provider.issuer)
    expect((await newBrowser(own).get('/client/config')).body.oidc).toEqual({ name: 'Acme' })
  } finally {
    provider.setDown(false)
    await own.close()
  }
})

test('where no provider is configured there are no such routes', async () => {
  const own = await startPeopleService()
  try {
    const browser = await signUp(own.app, 'plain@example.org')
    expect((await browser.get('/client/oidc/start')).status).toBe(404)
    expect((await browser.get('/client/oidc/callback')).status).toBe(404)
    expect((await browser.post('/client/identities', { current_password: PASSWORD })).status).toBe(403)
  } finally {
    await own.close()
  }
})

test('no code, state or secret of the way through the provider reaches the log or the store', async () => {
  provider.signInAs({ sub: 'quiet', email: 'quiet@example.org', email_verified: true })
  const browser = newBrowser(service)
  const start = new URL(locationOf(await browser.get('/client/oidc/start')))
  const back = await provider.visit(start.href)
  await browser.get(pathOf(back))
  const { db } = service.storage
  const stored = JSON.stringify([
    await db.selectFrom('one_time_tokens').selectAll().execute(),
    await db.selectFrom('external_identities').selectAll().execute(),
    await db.selectFrom('audit_entries').selectAll().execute(),
  ])
  expect(lines.length).toBeGreaterThan(50)
  const secrets = [
    back.searchParams.get('code'),
    start.searchParams.get('state'),
    start.searchParams.get('nonce'),
  ]
  for (const secret of [...secrets, provider.clientSecret]) {
    expect(secret?.length).toBeGreaterThan(20)
    expect(stored).not.toContain(secret)
    expect(lines.join('')).not.toContain(secret)
  }
})
