import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { totpCode } from '#domains/identity/totp.ts'
import { type Arrived, arrive as arriveIn, newBrowser, PASSWORD, type Realm } from './arrive.ts'
import { type Browser, createBrowser, signInAdministrator } from './browser.ts'
import { ADMINISTRATOR, type PeopleService, startPeopleService } from './people-service.ts'

let service: PeopleService
beforeAll(async () => {
  service = await startPeopleService()
})
afterAll(() => service.close())

const STEP_MS = 30_000

type Enrolled = Arrived & {
  readonly mine: Browser
  readonly secret: string
  /** The one-time code that switched it on. */
  readonly firstCode: string
  readonly codes: string[]
}

const codeNow = (secret: string, steps = 0) =>
  totpCode(secret, Math.floor(service.clock.now() / STEP_MS) + steps)

/** The next code that was not used yet. */
function freshCode(secret: string): string {
  service.clock.advance(STEP_MS)
  return codeNow(secret)
}

async function enrol(realm: Realm, browserCount = 1): Promise<Enrolled> {
  const arrived = await arriveIn(service, realm, browserCount)
  const [mine] = arrived.browsers
  if (!mine) throw new Error('Somebody has to be signed in')
  const begun = await mine.post(`/${realm}/two-factor`, { current_password: PASSWORD })
  expect(begun.status).toBe(201)
  const { secret } = begun.body
  const firstCode = codeNow(secret)
  const confirmed = await mine.post(`/${realm}/two-factor/confirm`, { code: firstCode })
  expect(confirmed.status).toBe(200)
  return { ...arrived, mine, secret, firstCode, codes: confirmed.body.recovery_codes }
}

const isSignedIn = async (browser: Browser, realm: Realm) =>
  (await browser.get(`/${realm}/me`)).status === 200

async function firstStep(realm: Realm, email: string): Promise<Browser> {
  const browser = newBrowser(service)
  expect((await browser.post(`/${realm}/sign-in`, { email, password: PASSWORD })).status).toBe(202)
  return browser
}

const secondStep = (browser: Browser, realm: Realm, code: string) =>
  browser.post(`/${realm}/sign-in/second-factor`, { code })

describe.each<Realm>(['client', 'admin'])('in the %s realm', realm => {
  test('it is on only when a code of it was shown', async () => {
    const { email, browsers } = await arriveIn(service, realm, 1)
    const [mine] = browsers
    const begun = await mine?.post(`/${realm}/two-factor`, { current_password: PASSWORD })
    expect(begun?.body).toEqual({
      object: 'two_factor_secret',
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth_url: expect.stringContaining(`secret=${begun?.body.secret}`),
    })
    const wrong = await mine?.post(`/${realm}/two-factor/confirm`, { code: '000000' })
    expect(wrong).toMatchObject({ status: 403, body: { error: { type: 'permission_error' } } })
    expect((await mine?.get(`/${realm}/profile`))?.body.two_factor).toEqual({
      enabled: false,
      recovery_codes_left: 0,
    })
    const pair = { email, password: PASSWORD }
    expect((await createBrowser(service.app).post(`/${realm}/sign-in`, pair)).status).toBe(200)
  })

  test('beginning asks for the password, and is refused when it is on', async () => {
    const { mine } = await enrol(realm)
    expect((await mine.post(`/${realm}/two-factor`, {})).status).toBe(400)
    expect((await mine.post(`/${realm}/two-factor`, { current_password: 'not this one' })).status).toBe(403)
    expect((await mine.post(`/${realm}/two-factor`, { current_password: PASSWORD })).status).toBe(409)
    expect((await mine.post(`/${realm}/two-factor/confirm`, { code: '123456' })).status).toBe(409)
  })

  test('a secret that was begun too long ago is void', async () => {
    const { browsers } = await arriveIn(service, realm, 1)
    const { secret } =
      (await browsers[0]?.post(`/${realm}/two-factor`, { current_password: PASSWORD }))?.body ?? {}
    service.clock.advance(3_600_000)
    const late = await browsers[0]?.post(`/${realm}/two-factor/confirm`, { code: codeNow(secret) })
    expect(late?.status).toBe(409)
  })

  test('switching it on ends the other sessions, which were opened without it, and renews this one', async () => {
    const before = await arriveIn(service, realm, 2)
    const [mine, other] = before.browsers
    if (!mine || !other) throw new Error('Two are signed in')
    const cookie = mine.cookie
    const { secret } = (await mine.post(`/${realm}/two-factor`, { current_password: PASSWORD })).body
    await mine.post(`/${realm}/two-factor/confirm`, { code: codeNow(secret) })
    expect(await isSignedIn(mine, realm)).toBe(true)
    expect(await isSignedIn(other, realm)).toBe(false)
    expect(await isSignedIn(createBrowser(service.app, cookie), realm)).toBe(false)
  })

  test('the password alone opens nothing; with the code it opens a session', async () => {
    const { email, secret } = await enrol(realm)
    const browser = newBrowser(service)
    const first = await browser.post(`/${realm}/sign-in`, { email, password: PASSWORD })
    expect(first).toMatchObject({ status: 202, body: { object: 'second_factor_due' }, cookie: null })
    expect(first.cookies).toEqual([
      expect.stringMatching(
        new RegExp(
          `^goldweight_${realm}_pending=[^;]+; Max-Age=600; Path=/${realm}/sign-in; HttpOnly; SameSite=Lax$`,
        ),
      ),
    ])
    expect(await isSignedIn(browser, realm)).toBe(false)
    expect((await secondStep(browser, realm, '000000')).status).toBe(401)
    expect((await secondStep(browser, realm, freshCode(secret))).status).toBe(200)
    expect(await isSignedIn(browser, realm)).toBe(true)
    expect(browser.cookie).not.toContain('pending')
  })

  test('what the first step gave is worth nothing as a session, nor in the other realm', async () => {
    const { email, secret } = await enrol(realm)
    const browser = await firstStep(realm, email)
    const value = /pending=([^;]+)/.exec(String(browser.cookie))?.[1]
    const asSession = createBrowser(service.app, `goldweight_${realm}=${value}`)
    expect(await isSignedIn(asSession, realm)).toBe(false)
    const other = realm === 'client' ? 'admin' : 'client'
    const elsewhere = createBrowser(service.app, `goldweight_${other}_pending=${value}`)
    expect((await secondStep(elsewhere, other, freshCode(secret))).status).toBe(401)
  })

  test('the first step is good for ten minutes, and for one session', async () => {
    const { email, secret } = await enrol(realm)
    const late = await firstStep(realm, email)
    service.clock.advance(10 * 60_000)
    expect((await secondStep(late, realm, freshCode(secret))).status).toBe(401)

    const browser = await firstStep(realm, email)
    const kept = String(browser.cookie)
    expect((await secondStep(browser, realm, freshCode(secret))).status).toBe(200)
    expect((await secondStep(createBrowser(service.app, kept), realm, freshCode(secret))).status).toBe(401)
  })

  test('a code is good once, and none before it any more', async () => {
    const { email, secret } = await enrol(realm)
    const code = freshCode(secret)
    const earlier = codeNow(secret, -1)
    const browsers = await Promise.all([firstStep(realm, email), firstStep(realm, email)])
    const replies = await Promise.all(browsers.map(browser => secondStep(browser, realm, code)))
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 401])
    const browser = await firstStep(realm, email)
    expect((await secondStep(browser, realm, code)).status).toBe(401)
    expect((await secondStep(browser, realm, earlier)).status).toBe(401)
  })

  test('the code that switched it on signs nobody in', async () => {
    const { email, firstCode } = await enrol(realm)
    const browser = await firstStep(realm, email)
    expect((await secondStep(browser, realm, firstCode)).status).toBe(401)
  })

  test('ten recovery codes each open one session, typed as they are read', async () => {
    const { email, codes } = await enrol(realm)
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    const [first = '', second = ''] = codes
    expect(first).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    const browser = await firstStep(realm, email)
    const typed = first.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')
    expect((await secondStep(browser, realm, typed)).status).toBe(200)
    expect((await browser.get(`/${realm}/profile`)).body.two_factor.recovery_codes_left).toBe(9)

    const again = await firstStep(realm, email)
    expect((await secondStep(again, realm, first)).status).toBe(401)
    expect((await secondStep(again, realm, second)).status).toBe(200)
  })

  test("nobody's codes are good for another", async () => {
    const mine = await enrol(realm)
    const theirs = await enrol(realm)
    const browser = await firstStep(realm, theirs.email)
    expect((await secondStep(browser, realm, mine.codes[0] ?? '')).status).toBe(401)
    expect((await secondStep(browser, realm, freshCode(mine.secret))).status).toBe(401)
  })

  test('guessing codes is refused after ten, also with a new first step from elsewhere', async () => {
    const { email, secret } = await enrol(realm)
    const browser = await firstStep(realm, email)
    for (let i = 0; i < 10; i++) {
      expect((await secondStep(browser, realm, String(i).padStart(6, '0'))).status).toBe(401)
    }
    const elsewhere = await firstStep(realm, email)
    expect((await secondStep(elsewhere, realm, freshCode(secret))).status).toBe(429)
    service.clock.advance(15 * 60_000)
    const later = await firstStep(realm, email)
    expect((await secondStep(later, realm, freshCode(secret))).status).toBe(200)
  })

  test('switching it off asks for both factors', async () => {
    const { email, mine, secret } = await enrol(realm)
    const off = (current_password: string, code: string) =>
      mine.post(`/${realm}/two-factor/disable`, { current_password, code })
    expect((await off('not this one', freshCode(secret))).status).toBe(403)
    expect((await off(PASSWORD, '000000')).status).toBe(403)
    expect((await mine.get(`/${realm}/profile`)).body.two_factor.enabled).toBe(true)
    const cookie = mine.cookie
    expect((await off(PASSWORD, freshCode(secret))).status).toBe(204)
    expect(await isSignedIn(mine, realm)).toBe(true)
    expect(await isSignedIn(createBrowser(service.app, cookie), realm)).toBe(false)
    const pair = { email, password: PASSWORD }
    expect((await createBrowser(service.app).post(`/${realm}/sign-in`, pair)).status).toBe(200)
    expect((await mine.get(`/${realm}/profile`)).body.two_factor).toEqual({
      enabled: false,
      recovery_codes_left: 0,
    })
  })

  test('new recovery codes void the old ones', async () => {
    const { email, mine, secret, codes } = await enrol(realm)
    const renewed = await mine.post(`/${realm}/two-factor/recovery-codes`, {
      current_password: PASSWORD,
      code: freshCode(secret),
    })
    expect(renewed.body.recovery_codes).toHaveLength(10)
    const browser = await firstStep(realm, email)
    expect((await secondStep(browser, realm, codes[0] ?? '')).status).toBe(401)
    expect((await secondStep(browser, realm, renewed.body.recovery_codes[0])).status).toBe(200)
  })

  test('a new password voids a first step made with the old one', async () => {
    const { email, mine, secret } = await enrol(realm)
    const browser = await firstStep(realm, email)
    const body = { current_password: PASSWORD, new_password: 'another horse battery' }
    expect((await mine.post(`/${realm}/password`, body)).status).toBe(204)
    expect((await secondStep(browser, realm, freshCode(secret))).status).toBe(401)
  })

  test('the store holds neither secrets nor codes', async () => {
    const { secret, codes } = await enrol(realm)
    const { db } = service.storage
    const stored = JSON.stringify([
      await db.selectFrom('two_factors').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
      await db.selectFrom('audit_entries').selectAll().execute(),
    ])
    expect(stored).toContain('"secret_ciphertext":"v1.')
    for (const text of [secret, ...codes, ...codes.map(code => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(text)
    }
  })
})

test('of a user disabled between the two steps no session is opened', async () => {
  const { email, mine, secret } = await enrol('client')
  const { user } = (await mine.get('/client/me')).body
  const browser = await firstStep('client', email)
  const root = await signInAdministrator(service.app, ADMINISTRATOR)
  expect((await root.patch(`/admin/users/${user.id}`, { status: 'disabled' })).status).toBe(200)
  expect((await secondStep(browser, 'client', freshCode(secret))).status).toBe(401)
})

test('the operator takes the second factor of a user away, which ends all sessions and is on record', async () => {
  const { email, mine } = await enrol('client')
  const { user } = (await mine.get('/client/me')).body
  const root = await signInAdministrator(service.app, ADMINISTRATOR)
  expect((await root.delete(`/admin/users/${user.id}/two-factor`)).status).toBe(204)
  expect((await root.delete(`/admin/users/${user.id}/two-factor`)).status).toBe(404)
  expect((await root.delete('/admin/users/usr_none/two-factor')).status).toBe(404)
  expect(await isSignedIn(mine, 'client')).toBe(false)
  const pair = { email, password: PASSWORD }
  expect((await createBrowser(service.app).post('/client/sign-in', pair)).status).toBe(200)
  const [entry] = (await root.get('/admin/audit?limit=1')).body.data
  expect(entry).toMatchObject({ action: 'user.reset_two_factor', target: { type: 'user', id: user.id } })
})
