import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '#telemetry/log.ts'
import { type MailServer, startMailServer, tokenIn } from '#test/support/mail-server.ts'
import { arrive as arriveIn, newBrowser, PASSWORD, type Realm } from './arrive.ts'
import { createBrowser, signInAdministrator, signUp } from './browser.ts'
import { ADMINISTRATOR, type PeopleService, startPeopleService } from './people-service.ts'

const PUBLIC_URL = 'https://gold.example/base'
const NEW_PASSWORD = 'another horse battery'
const MINUTE_MS = 60_000
const PATIENTLY = { timeout: 5_000 }

let server: MailServer
let service: PeopleService
let lines: string[]
beforeAll(async () => {
  server = await startMailServer()
  lines = []
  service = await startPeopleService({
    publicUrl: PUBLIC_URL,
    mail: { url: server.url, from: 'gold@example.org', publicUrl: PUBLIC_URL },
    log: createLog('debug', { write: line => void lines.push(line) }),
  })
})
afterAll(async () => {
  await service.close()
  await server.close()
})

const arrive = (realm: Realm, count: number) => arriveIn(service, realm, count)

/** From a network of its own each time, so that tests do not use up each other's allowance. */
let networks = 0
const stranger = () => {
  const ip = `203.0.113.${++networks}`
  return {
    post: (url: string, body: unknown) =>
      createBrowser(service.app).call('POST', url, { body, headers: { 'x-forwarded-for': ip } }),
  }
}

const forget = (realm: Realm, email: string) => stranger().post(`/${realm}/password/forgotten`, { email })
const reset = (realm: Realm, token: string, password = NEW_PASSWORD) =>
  stranger().post(`/${realm}/password/reset`, { token, password })

async function resetToken(realm: Realm, email: string): Promise<string> {
  const before = server.mails.length
  expect((await forget(realm, email)).status).toBe(204)
  await expect.poll(() => server.mails.slice(before).some(mail => mail.to === email), PATIENTLY).toBe(true)
  return tokenIn(await server.mailTo(email, /Choose a new password/))
}

describe.each<Realm>(['client', 'admin'])('a forgotten password in the %s realm', realm => {
  const page = realm === 'client' ? 'portal' : 'console'

  test('a link sets a new password, ends all sessions, opens none, and is told of', async () => {
    const { email, browsers } = await arrive(realm, 2)
    const token = await resetToken(realm, email)
    expect((await server.mailTo(email, /Choose/)).text).toContain(
      `${PUBLIC_URL}/${page}/reset-password#token=${token}`,
    )
    const reply = await reset(realm, token)
    expect(reply).toMatchObject({ status: 204, cookies: [] })
    for (const browser of browsers) expect((await browser.get(`/${realm}/me`)).status).toBe(401)
    const tryIn = (password: string) => stranger().post(`/${realm}/sign-in`, { email, password })
    expect((await tryIn(PASSWORD)).status).toBe(401)
    expect((await tryIn(NEW_PASSWORD)).status).toBe(200)
    expect((await server.mailTo(email, /was changed/)).text).toContain('by e-mail')
  })

  test('a link works once, and voids those sent with it', async () => {
    const { email } = await arrive(realm, 0)
    const first = await resetToken(realm, email)
    const second = await resetToken(realm, email)
    const replies = await Promise.all([reset(realm, first), reset(realm, first, 'yet another password')])
    expect(replies.map(reply => reply.status).sort()).toEqual([204, 403])
    expect((await reset(realm, first)).status).toBe(403)
    expect((await reset(realm, second)).status).toBe(403)
  })

  test('an earlier link stays good when another is sent', async () => {
    const { email } = await arrive(realm, 0)
    const first = await resetToken(realm, email)
    await resetToken(realm, email)
    expect((await reset(realm, first)).status).toBe(204)
  })

  test('a link is good for an hour, in its own realm', async () => {
    const { email } = await arrive(realm, 0)
    const token = await resetToken(realm, email)
    const other = realm === 'client' ? 'admin' : 'client'
    expect((await reset(other, token)).status).toBe(403)
    service.clock.advance(61 * MINUTE_MS)
    expect((await reset(realm, token)).status).toBe(403)
  })

  test('a new password chosen otherwise voids the link', async () => {
    const { email, browsers } = await arrive(realm, 1)
    const token = await resetToken(realm, email)
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    expect((await browsers[0]?.post(`/${realm}/password`, body))?.status).toBe(204)
    expect((await reset(realm, token)).status).toBe(403)
  })

  test('junk is no link, and a short password uses none up', async () => {
    const { email } = await arrive(realm, 0)
    expect((await reset(realm, 'junk')).status).toBe(403)
    const token = await resetToken(realm, email)
    expect((await reset(realm, token, 'too short')).status).toBe(400)
    expect((await reset(realm, token)).status).toBe(204)
  })

  test('an address that nobody has gets the same answer, and no mail', async () => {
    const { email } = await arrive(realm, 0)
    const known = await forget(realm, email)
    const unknown = await forget(realm, `nobody-${realm}@example.org`)
    expect(unknown.status).toBe(known.status)
    expect(unknown.body).toEqual(known.body)
    await server.mailTo(email, /Choose/)
    expect(server.mails.some(mail => mail.to === `nobody-${realm}@example.org`)).toBe(false)
  })

  test('the time it takes does not tell whether somebody has the address', async () => {
    const { email } = await arrive(realm, 0)
    const best = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
    // In turns, so that both meet the same machine; whatever else it does only adds to what an answer takes.
    for (let attempt = 0; attempt < 15; attempt++) {
      const addresses = { known: email, unknown: `nobody-${attempt}@example.org` }
      service.clock.advance(16 * MINUTE_MS)
      for (const who of ['known', 'unknown'] as const) {
        const startedAt = performance.now()
        expect((await forget(realm, addresses[who])).status).toBe(204)
        best[who] = Math.min(best[who], performance.now() - startedAt)
      }
    }
    const { known, unknown } = best
    expect(known / unknown).toBeGreaterThan(0.33)
    expect(known / unknown).toBeLessThan(3)
  })

  test('three mails go to an address in a while, whoever has it and however it is spelled', async () => {
    const { email } = await arrive(realm, 0)
    for (const address of [email, `nobody-limited-${realm}@example.org`]) {
      for (const spelling of [address, address.toUpperCase(), ` ${address}`]) {
        expect((await forget(realm, spelling)).status).toBe(204)
      }
      expect((await forget(realm, address)).status).toBe(429)
    }
    service.clock.advance(15 * MINUTE_MS)
    expect((await forget(realm, email)).status).toBe(204)
  })

  test('who was refused for wrong guesses gets in with the new password', async () => {
    const { email } = await arrive(realm, 0)
    for (let i = 0; i < 11; i++)
      await stranger().post(`/${realm}/sign-in`, { email, password: 'a wrong guess' })
    expect((await stranger().post(`/${realm}/sign-in`, { email, password: PASSWORD })).status).toBe(429)
    expect((await reset(realm, await resetToken(realm, email))).status).toBe(204)
    expect((await stranger().post(`/${realm}/sign-in`, { email, password: NEW_PASSWORD })).status).toBe(200)
  })

  test('what changes about signing in is told by mail', async () => {
    const { email, browsers } = await arrive(realm, 1)
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    await browsers[0]?.post(`/${realm}/password`, body)
    const mail = await server.mailTo(email, /password was changed/)
    expect(mail.text).toContain(`${PUBLIC_URL}/${page}/forgotten-password`)
    expect(mail.text + mail.html).not.toMatch(/horse/)
  })
})

test('one network has thirty mails sent, whatever addresses it names', async () => {
  const { post } = stranger()
  const replies = []
  for (let i = 0; i < 31; i++) {
    replies.push((await post('/client/password/forgotten', { email: `many-${i}@example.org` })).status)
  }
  expect(replies.filter(status => status === 204)).toHaveLength(30)
  expect(replies.at(-1)).toBe(429)
})

describe('confirming an address', () => {
  test('whoever signs up gets a link, which confirms the address for them alone', async () => {
    const email = 'new@example.org'
    const browser = await signUp(service.app, email)
    expect((await browser.get('/client/profile')).body.email_verified).toBe(false)
    const mail = await server.mailTo(email, /Confirm your e-mail/)
    expect(mail.text).toContain(`${PUBLIC_URL}/portal/verify-email#token=`)
    const token = tokenIn(mail)
    const root = await signInAdministrator(service.app, ADMINISTRATOR)
    const other = await signUp(service.app, 'not-new@example.org')
    expect((await root.post('/admin/email/verify', { token })).status).toBe(403)
    expect((await other.post('/client/email/verify', { token })).status).toBe(403)
    const reply = await browser.post('/client/email/verify', { token })
    expect(reply).toMatchObject({ status: 200, body: { object: 'verified_email', email } })
    expect((await browser.get('/client/profile')).body.email_verified).toBe(true)
    expect((await browser.post('/client/email/verify', { token })).status).toBe(403)
    expect((await browser.post('/client/email/verification')).status).toBe(409)
  })

  test('the link is sent again on demand, three times in a while', async () => {
    const email = 'again@example.org'
    const browser = await signUp(service.app, email)
    for (let i = 0; i < 3; i++) expect((await browser.post('/client/email/verification')).status).toBe(204)
    expect((await browser.post('/client/email/verification')).status).toBe(429)
    await expect.poll(() => server.mails.filter(mail => mail.to === email).length, PATIENTLY).toBe(4)
  })

  test('a link to an address that the user has no more confirms nothing', async () => {
    const email = 'moved@example.org'
    const browser = await signUp(service.app, email)
    const token = tokenIn(await server.mailTo(email))
    const root = await signInAdministrator(service.app, ADMINISTRATOR)
    const { user } = (await browser.get('/client/me')).body
    await root.patch(`/admin/users/${user.id}`, { email: 'elsewhere@example.org' })
    expect((await browser.post('/client/email/verify', { token })).status).toBe(403)
    expect((await browser.get('/client/profile')).body.email_verified).toBe(false)
  })

  test('where the settings ask for it, keys are made only after it', async () => {
    const root = await signInAdministrator(service.app, ADMINISTRATOR)
    expect((await root.patch('/admin/settings', { email_verification: 'required' })).status).toBe(200)
    try {
      const email = 'required@example.org'
      const browser = await signUp(service.app, email)
      const refused = await browser.post('/client/keys', { name: 'k' })
      expect(refused).toMatchObject({ status: 403, body: { error: { type: 'permission_error' } } })
      await browser.post('/client/email/verify', { token: tokenIn(await server.mailTo(email)) })
      expect((await browser.post('/client/keys', { name: 'k' })).status).toBe(201)
    } finally {
      await root.patch('/admin/settings', { email_verification: 'optional' })
    }
  })
})

describe.each<Realm>(['client', 'admin'])('changing the address in the %s realm', realm => {
  test('it is changed when the link in a mail to the new one is followed; the old one is told', async () => {
    const { email, browsers } = await arrive(realm, 1)
    const [mine] = browsers
    const next = `next-${email}`
    const reply = await mine?.post(`/${realm}/email`, { email: next, current_password: PASSWORD })
    expect(reply).toMatchObject({ status: 200, body: { object: 'email_change', status: 'confirm' } })
    expect((await mine?.get(`/${realm}/profile`))?.body.email).toBe(email)
    const token = tokenIn(await server.mailTo(next, /new e-mail address/))
    expect((await mine?.post(`/${realm}/email/verify`, { token }))?.body.email).toBe(next)
    expect((await mine?.get(`/${realm}/profile`))?.body).toMatchObject({ email: next, email_verified: true })
    expect((await server.mailTo(email, /address was changed/)).text).toContain('another e-mail address')
    expect((await stranger().post(`/${realm}/sign-in`, { email: next, password: PASSWORD })).status).toBe(200)
    expect((await stranger().post(`/${realm}/sign-in`, { email, password: PASSWORD })).status).toBe(401)
  })

  test('the answer does not tell that somebody has the address: a mail to it does', async () => {
    const { browsers } = await arrive(realm, 1)
    const taken = (await arrive(realm, 0)).email
    const reply = await browsers[0]?.post(`/${realm}/email`, { email: taken, current_password: PASSWORD })
    expect(reply).toMatchObject({ status: 200, body: { status: 'confirm' } })
    const mail = await server.mailTo(taken, /have an account already/)
    expect(mail.text).not.toContain('#token=')
  })

  test('of two who claim one address, the second link is refused', async () => {
    const people = [await arrive(realm, 1), await arrive(realm, 1)]
    const address = `contested-${realm}@example.org`
    const tokens: string[] = []
    for (const { browsers } of people) {
      const before = server.mails.length
      await browsers[0]?.post(`/${realm}/email`, { email: address, current_password: PASSWORD })
      await expect.poll(() => server.mails.length, PATIENTLY).toBeGreaterThan(before)
      tokens.push(tokenIn(await server.mailTo(address)))
    }
    const statuses = []
    for (const [index, token] of tokens.entries()) {
      const [browser] = people[index]?.browsers ?? []
      statuses.push((await browser?.post(`/${realm}/email/verify`, { token }))?.status)
    }
    expect(statuses).toEqual([200, 409])
  })

  test('it takes the password, and voids links that were sent to the old address', async () => {
    const { email, browsers } = await arrive(realm, 1)
    const [mine] = browsers
    const next = `other-${email}`
    const wrong = await mine?.post(`/${realm}/email`, { email: next, current_password: 'not this one' })
    expect(wrong?.status).toBe(403)
    const resetLink = await resetToken(realm, email)
    await mine?.post(`/${realm}/email`, { email: next, current_password: PASSWORD })
    await mine?.post(`/${realm}/email/verify`, { token: tokenIn(await server.mailTo(next)) })
    expect((await reset(realm, resetLink)).status).toBe(403)
  })
})

test('without a mail server an address is changed at once, and nothing is promised by mail', async () => {
  const own = await startPeopleService()
  try {
    const taken = await signUp(own.app, 'taken@example.org')
    const browser = await signUp(own.app, 'plain@example.org')
    const change = (email: string) => browser.post('/client/email', { email, current_password: PASSWORD })
    expect((await change('taken@example.org')).status).toBe(409)
    expect((await change('fresh@example.org')).body.status).toBe('changed')
    expect((await browser.get('/client/me')).body.user.email).toBe('fresh@example.org')
    expect((await taken.get('/client/me')).body.user.email).toBe('taken@example.org')
    for (const [url, body] of [
      ['/client/password/forgotten', { email: 'fresh@example.org' }],
      ['/client/email/verification', undefined],
    ] as const) {
      expect(await browser.post(url, body)).toMatchObject({
        status: 403,
        body: { error: { type: 'permission_error' } },
      })
    }
    expect((await browser.get('/client/config')).body.mail).toBe(false)
  } finally {
    await own.close()
  }
})

test('too many wrong codes are told of once: the password is known to somebody', async () => {
  const { email, browsers } = await arrive('client', 1)
  const [mine] = browsers
  const { secret } = (await mine?.post('/client/two-factor', { current_password: PASSWORD }))?.body ?? {}
  const { totpCode } = await import('#domains/identity/totp.ts')
  const code = totpCode(secret, Math.floor(service.clock.now() / 30_000))
  expect((await mine?.post('/client/two-factor/confirm', { code }))?.status).toBe(200)
  await server.mailTo(email, /second factor is on/)
  const browser = newBrowser(service)
  await browser.post('/client/sign-in', { email, password: PASSWORD })
  const statuses = []
  for (let i = 0; i < 14; i++) {
    statuses.push((await browser.post('/client/sign-in/second-factor', { code: '000000' })).status)
  }
  expect(statuses.slice(-4)).toEqual([429, 429, 429, 429])
  await server.mailTo(email, /knows your password/)
  await service.outbox?.sendDue()
  expect(server.mails.filter(mail => mail.to === email && /knows/.test(mail.subject))).toHaveLength(1)
})

test('no token, code or password reaches the log or the store', async () => {
  const { email } = await arrive('client', 0)
  const token = await resetToken('client', email)
  await reset('client', token)
  const { db } = service.storage
  const stored = JSON.stringify([
    await db.selectFrom('one_time_tokens').selectAll().execute(),
    await db.selectFrom('outgoing_mails').selectAll().execute(),
    await db.selectFrom('audit_entries').selectAll().execute(),
    await db.selectFrom('sign_in_attempts').selectAll().execute(),
  ])
  const tokens = server.mails.flatMap(mail => /#token=([A-Za-z0-9_-]+)/.exec(mail.text)?.[1] ?? [])
  expect(tokens.length).toBeGreaterThan(20)
  expect(lines.length).toBeGreaterThan(100)
  for (const secret of [...tokens, PASSWORD, NEW_PASSWORD]) {
    expect(stored).not.toContain(secret)
    expect(lines.join('')).not.toContain(secret)
  }
})
