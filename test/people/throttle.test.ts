import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBrowser, signInAdministrator, signUp } from './browser.ts'
import { ADMINISTRATOR, type PeopleService, startPeopleService } from './people-service.ts'

let service: PeopleService
beforeEach(async () => {
  service = await startPeopleService()
})
afterEach(() => service.close())

const PASSWORD = 'correct horse battery'
const MINUTE_MS = 60_000

type Attempt = {
  readonly email?: string
  readonly password?: string
  readonly ip?: string
  readonly realm?: string
}

function tryIn({
  email = 'ada@example.org',
  password = 'wrong password',
  ip = '192.0.2.1',
  realm = 'client',
}: Attempt) {
  const headers = { 'x-forwarded-for': ip }
  return createBrowser(service.app).call('POST', `/${realm}/sign-in`, { body: { email, password }, headers })
}

const statuses = async (attempts: Promise<{ status: number }>[]) =>
  (await Promise.all(attempts)).map(reply => reply.status).sort()

test('parallel guesses at one e-mail get ten answers, and no more', async () => {
  await signUp(service.app, 'ada@example.org')
  const found = await statuses(Array.from({ length: 40 }, (_, i) => tryIn({ ip: `192.0.2.${i}` })))
  expect(found.filter(status => status === 401)).toHaveLength(10)
  expect(found.filter(status => status === 429)).toHaveLength(30)
})

test('failures are held up from the fourth on, ever longer, and refused from the eleventh on', async () => {
  await signUp(service.app, 'ada@example.org')
  for (let i = 0; i < 10; i++) expect((await tryIn({})).status).toBe(401)
  expect(service.delays).toEqual([250, 500, 750, 1000, 1250, 1500, 1750])
  const refused = await tryIn({ password: PASSWORD })
  expect(refused).toMatchObject({
    status: 429,
    body: { error: { type: 'rate_limit_exceeded', code: null, message: 'Rate limit exceeded' } },
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(890)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(900)

  service.clock.advance(15 * MINUTE_MS)
  expect((await tryIn({ password: PASSWORD })).status).toBe(200)
})

test('an e-mail that nobody has is throttled alike', async () => {
  for (let i = 0; i < 10; i++) expect((await tryIn({ email: 'none@example.org' })).status).toBe(401)
  expect((await tryIn({ email: 'NONE@example.org ' })).status).toBe(429)
})

test('a success forgets the failures before it, and costs its network nothing', async () => {
  await signUp(service.app, 'ada@example.org')
  for (let round = 0; round < 15; round++) {
    for (let i = 0; i < 3; i++) expect((await tryIn({})).status).toBe(401)
    expect((await tryIn({ password: PASSWORD })).status).toBe(200)
  }
  const rows = await service.storage.db.selectFrom('sign_in_attempts').selectAll().execute()
  expect(rows.filter(row => row.subject.startsWith('client email'))).toEqual([])
  expect(rows.find(row => row.subject === 'client ip 192.0.2.1')?.failures).toBe(45)
})

test('one network gets a hundred answers, whatever e-mails it tries; others are not concerned', async () => {
  const guesses = Array.from({ length: 110 }, (_, i) =>
    tryIn({ email: `guess-${i}@example.org`, ip: `2001:db8:1:2::${(i + 1).toString(16)}` }),
  )
  const found = await statuses(guesses)
  expect(found.filter(status => status === 401)).toHaveLength(100)
  expect(found.filter(status => status === 429)).toHaveLength(10)
  expect(Math.max(...service.delays)).toBeLessThanOrEqual(2000)
  expect((await tryIn({ ip: '2001:db8:1:3::1' })).status).toBe(401)
})

test('a network that is refused can not lock the e-mails of others', async () => {
  await signUp(service.app, 'ada@example.org')
  await Promise.all(Array.from({ length: 100 }, (_, i) => tryIn({ email: `guess-${i}@example.org` })))
  for (let i = 0; i < 12; i++) expect((await tryIn({})).status).toBe(429)
  expect((await tryIn({ password: PASSWORD, ip: '198.51.100.7' })).status).toBe(200)
})

test('the realms count apart', async () => {
  for (let i = 0; i < 11; i++) await tryIn({ email: ADMINISTRATOR.email })
  expect((await tryIn({ email: ADMINISTRATOR.email })).status).toBe(429)
  await signInAdministrator(service.app, ADMINISTRATOR)
  expect((await tryIn({ realm: 'admin', email: ADMINISTRATOR.email })).status).toBe(401)
})

test('windows that are over leave nothing behind', async () => {
  await tryIn({})
  service.clock.advance(15 * MINUTE_MS)
  await service.attempts.deleteExpired()
  expect(await service.storage.db.selectFrom('sign_in_attempts').selectAll().execute()).toEqual([])
})
