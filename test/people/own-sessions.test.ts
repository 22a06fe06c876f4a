import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrive as arriveIn, PASSWORD, type Realm } from './arrive.ts'
import { type Browser, createBrowser } from './browser.ts'
import { ADMINISTRATOR, type PeopleService, startPeopleService } from './people-service.ts'

let service: PeopleService
beforeAll(async () => {
  service = await startPeopleService()
})
afterAll(() => service.close())

const NEW_PASSWORD = 'another horse battery'
const arrive = (realm: Realm, count: number) => arriveIn(service, realm, count)

const statusOf = async (browser: Browser | undefined, url: string) => (await browser?.get(url))?.status

describe.each<Realm>(['client', 'admin'])('in the %s realm', realm => {
  const me = `/${realm}/me`

  test('people see their sessions: newest first, from where, and which one they are in', async () => {
    const { browsers } = await arrive(realm, 2)
    const { status, body } = (await browsers[0]?.get(`/${realm}/sessions?limit=2`)) ?? {}
    expect(status).toBe(200)
    const moment = expect.stringMatching(/Z$/)
    const shown = {
      id: expect.stringMatching(/^ses_/),
      object: 'session',
      created_at: moment,
      last_seen_at: moment,
      expires_at: moment,
      user_agent: 'Firefox on Linux',
      address: '192.0.2.7',
    }
    expect(body.data).toEqual([
      { ...shown, current: false },
      { ...shown, current: true },
    ])
    expect(JSON.stringify(body)).not.toMatch(/token|hash/)
  })

  test('a session says when it was last seen, to within minutes', async () => {
    const { browsers } = await arrive(realm, 1)
    const lastSeen = async () => (await browsers[0]?.get(`/${realm}/sessions`))?.body.data[0].last_seen_at
    const first = await lastSeen()
    service.clock.advance(60_000)
    expect(await lastSeen()).toBe(first)
    service.clock.advance(5 * 60_000)
    await lastSeen()
    await service.storage.ping()
    expect(Date.parse(await lastSeen()) - Date.parse(first)).toBeGreaterThanOrEqual(360_000)
  })

  test('people end one session, and no other is touched', async () => {
    const { browsers } = await arrive(realm, 3)
    const { data } = (await browsers[0]?.get(`/${realm}/sessions`))?.body ?? {}
    expect((await browsers[0]?.delete(`/${realm}/sessions/${data[0].id}`))?.status).toBe(204)
    expect(await statusOf(browsers[2], me)).toBe(401)
    expect(await statusOf(browsers[1], me)).toBe(200)
    expect((await browsers[0]?.delete(`/${realm}/sessions/${data[0].id}`))?.status).toBe(404)
  })

  test('ending the session one is in signs out', async () => {
    const { browsers } = await arrive(realm, 2)
    const [current] = (await browsers[1]?.get(`/${realm}/sessions`))?.body.data ?? []
    const reply = await browsers[1]?.delete(`/${realm}/sessions/${current.id}`)
    expect(reply?.status).toBe(204)
    expect(String(reply?.cookies)).toContain('Max-Age=0')
    expect(await statusOf(browsers[1], me)).toBe(401)
    expect(await statusOf(browsers[0], me)).toBe(200)
  })

  test('people end all sessions but the one they are in', async () => {
    const { browsers } = await arrive(realm, 3)
    expect((await browsers[1]?.delete(`/${realm}/sessions`))?.status).toBe(204)
    expect(await statusOf(browsers[0], me)).toBe(401)
    expect(await statusOf(browsers[1], me)).toBe(200)
    expect(await statusOf(browsers[2], me)).toBe(401)
  })

  test("nobody sees or ends another's session", async () => {
    const mine = await arrive(realm, 1)
    const theirs = await arrive(realm, 1)
    const [session] = (await theirs.browsers[0]?.get(`/${realm}/sessions`))?.body.data ?? []
    const seen = (await mine.browsers[0]?.get(`/${realm}/sessions`))?.body.data
    expect(seen.map(({ id }: { id: string }) => id)).not.toContain(session.id)
    expect((await mine.browsers[0]?.delete(`/${realm}/sessions/${session.id}`))?.status).toBe(404)
    await mine.browsers[0]?.delete(`/${realm}/sessions`)
    expect(await statusOf(theirs.browsers[0], me)).toBe(200)
  })

  test('a new password ends all other sessions and gives this one a new token', async () => {
    const { email, browsers } = await arrive(realm, 3)
    const [mine] = browsers
    const before = String(mine?.cookie)
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    expect((await mine?.post(`/${realm}/password`, body))?.status).toBe(204)
    expect(await statusOf(mine, me)).toBe(200)
    expect(await statusOf(createBrowser(service.app, before), me)).toBe(401)
    expect(await statusOf(browsers[1], me)).toBe(401)
    expect(await statusOf(browsers[2], me)).toBe(401)
    const tryIn = (password: string) =>
      createBrowser(service.app).post(`/${realm}/sign-in`, { email, password })
    expect((await tryIn(PASSWORD)).status).toBe(401)
    expect((await tryIn(NEW_PASSWORD)).status).toBe(200)
  })

  test('a wrong current password changes nothing, and guessing it is refused in the end', async () => {
    const { email, browsers } = await arrive(realm, 2)
    const guess = (password?: string) =>
      browsers[0]?.post(`/${realm}/password`, { current_password: password, new_password: NEW_PASSWORD })
    expect((await guess())?.status).toBe(400)
    for (let i = 0; i < 10; i++) {
      expect(await guess('not this one')).toMatchObject({
        status: 403,
        body: { error: { type: 'permission_error' } },
      })
    }
    expect((await guess(PASSWORD))?.status).toBe(429)
    expect(await statusOf(browsers[1], me)).toBe(200)
    // Whoever guesses inside of a session does not keep its owner from signing in.
    const pair = { email, password: PASSWORD }
    expect((await createBrowser(service.app).post(`/${realm}/sign-in`, pair)).status).toBe(200)
  })

  test('of two changes of the same password at once only one is made', async () => {
    const { browsers } = await arrive(realm, 2)
    const change = (browser: Browser | undefined, password: string) =>
      browser?.post(`/${realm}/password`, { current_password: PASSWORD, new_password: password })
    const replies = await Promise.all([
      change(browsers[0], 'the first new one'),
      change(browsers[1], 'the other new one'),
    ])
    expect(replies.filter(reply => reply?.status === 204)).toHaveLength(1)
  })

  test('people change their name', async () => {
    const { email, browsers } = await arrive(realm, 1)
    const reply = await browsers[0]?.patch(`/${realm}/profile`, { name: 'Ada Lovelace' })
    expect(reply?.body).toMatchObject({
      object: 'profile',
      email,
      name: 'Ada Lovelace',
      email_verified: false,
      has_password: true,
    })
    expect((await browsers[0]?.get(`/${realm}/profile`))?.body).toEqual(reply?.body)
    expect((await browsers[0]?.patch(`/${realm}/profile`, { name: ' ' }))?.status).toBe(400)
  })

  test('signing in again ends the session that the browser had', async () => {
    const { email, browsers } = await arrive(realm, 1)
    const before = String(browsers[0]?.cookie)
    await browsers[0]?.post(`/${realm}/sign-in`, { email, password: PASSWORD })
    expect(await statusOf(browsers[0], me)).toBe(200)
    expect(await statusOf(createBrowser(service.app, before), me)).toBe(401)
  })

  test('a session token that was planted in a browser is worth nothing after its owner signs in', async () => {
    const { email } = await arrive(realm, 0)
    const victim = createBrowser(service.app, `goldweight_${realm}=planted-by-somebody-else`)
    const reply = await victim.post(`/${realm}/sign-in`, { email, password: PASSWORD })
    expect(reply.cookie).not.toContain('planted')
    expect(await statusOf(victim, me)).toBe(401)
  })
})

test('what administrators change about their own sign-in is on the audit log, without secrets', async () => {
  const { browsers } = await arrive('admin', 2)
  await browsers[0]?.patch('/admin/profile', { name: 'Grace' })
  await browsers[0]?.delete('/admin/sessions')
  await browsers[0]?.post('/admin/password', { current_password: PASSWORD, new_password: NEW_PASSWORD })
  const { data } = (await browsers[0]?.get('/admin/audit'))?.body ?? {}
  expect(data.slice(0, 3).map((entry: { action: string }) => entry.action)).toEqual([
    'administrator.change_password',
    'administrator.end_other_sessions',
    'administrator.change_name',
  ])
  expect(JSON.stringify(data)).not.toMatch(/horse|argon2/)
})

test('a browser that signed in before gets in while others fail in its owner’s name', async () => {
  const { email, browsers } = await arrive('client', 1)
  const known = browsers[0]
  await known?.post('/client/sign-out')
  for (let i = 0; i < 12; i++) {
    const headers = { 'x-forwarded-for': `198.51.100.${i}` }
    await createBrowser(service.app).call('POST', '/client/sign-in', {
      body: { email, password: 'a wrong guess' },
      headers,
    })
  }
  const pair = { email, password: PASSWORD }
  expect((await createBrowser(service.app).post('/client/sign-in', pair)).status).toBe(429)
  expect((await known?.post('/client/sign-in', pair))?.status).toBe(200)
})

test('a known browser guesses no more than any other, for no other e-mail, and in no other realm', async () => {
  const { email, browsers } = await arrive('client', 1)
  const other = await arrive('client', 0)
  const device = /goldweight_client_device=([^;]+)/.exec(String(browsers[0]?.cookie))?.[1]
  const tryIn = (realm: Realm, as: string, password: string) =>
    createBrowser(service.app, `goldweight_${realm}_device=${device}`).post(`/${realm}/sign-in`, {
      email: as,
      password,
    })
  for (let i = 0; i < 10; i++) expect((await tryIn('client', email, 'a wrong guess')).status).toBe(401)
  expect((await tryIn('client', email, PASSWORD)).status).toBe(429)

  // For anybody else it is no known browser: these guesses count against the e-mail.
  for (let i = 0; i < 10; i++) expect((await tryIn('client', other.email, 'a wrong guess')).status).toBe(401)
  expect(
    (await createBrowser(service.app).post('/client/sign-in', { email: other.email, password: PASSWORD }))
      .status,
  ).toBe(429)
  const subjects = await service.storage.db.selectFrom('sign_in_attempts').select('subject').execute()
  await tryIn('admin', ADMINISTRATOR.email, 'a wrong guess')
  const added = (await service.storage.db.selectFrom('sign_in_attempts').select('subject').execute()).filter(
    row => !subjects.some(({ subject }) => subject === row.subject),
  )
  expect(added.map(row => row.subject)).toContain(`admin email ${ADMINISTRATOR.email}`)
})
