import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '#domains/keys/token.ts'
import { firstIdAt } from '#lib/id.ts'
import { micros } from '#lib/money.ts'
import type { RequestRow } from '#storage/tables.ts'
import { type Browser, createBrowser, signInAdministrator, signUp } from './browser.ts'
import { ADMINISTRATOR, type PeopleService, startPeopleService } from './people-service.ts'

let service: PeopleService
let root: Browser
beforeAll(async () => {
  service = await startPeopleService()
  root = await signInAdministrator(service.app, ADMINISTRATOR)
})
afterAll(() => service.close())

const PASSWORD = 'correct horse battery'

async function makeAccount(email: string) {
  const reply = await root.post('/admin/accounts', {
    name: `Account of ${email}`,
    owner: { email, name: 'Owner', password: PASSWORD },
  })
  expect(reply.status).toBe(201)
  return reply.body
}

async function actionsOn(id: string): Promise<string[]> {
  const { data } = (await root.get('/admin/audit?limit=100')).body
  return data
    .filter((entry: { target: { id: string } }) => entry.target.id === id)
    .map((entry: { action: string }) => entry.action)
}

function requestRow(overrides: Partial<RequestRow>): RequestRow {
  return {
    id: 'req_1',
    account_id: 'acc_1',
    key_id: 'key_1',
    model: 'm',
    endpoint: 'chat',
    stream: 1,
    provider: 'p',
    upstream_model: 'u',
    status: 'succeeded',
    http_status: 200,
    input_tokens: 10,
    cache_read_tokens: 1,
    cache_write_tokens: 2,
    cache_write_1h_tokens: 0,
    output_tokens: 3,
    unit_json: null,
    weights_json: '{"input":"2.5","cache_read":"0","cache_write":"1","output":"10"}',
    charge_micros: micros(57n),
    usage_source: 'upstream',
    latency_ms: 120,
    first_token_ms: 40,
    error_type: null,
    error_code: null,
    client_request_id: null,
    anomalous_usage_json: null,
    attempts_json: null,
    created_at: 1_700_000_000_000,
    ...overrides,
  }
}

describe('the first administrator', () => {
  test('is made once, whatever is given later', async () => {
    const given = { email: 'other@example.org', password: 'another password' }
    expect(await service.administrators.createFirst(given)).toBeNull()
    expect((await createBrowser(service.app).post('/admin/sign-in', given)).status).toBe(401)
    expect((await root.get('/admin/me')).body).toEqual({
      administrator: {
        id: expect.stringMatching(/^adm_/),
        email: ADMINISTRATOR.email,
        name: 'Administrator',
        role: 'owner',
      },
      must_set_up_two_factor: false,
    })
  })

  test('gets a password of its own where none is given, and is made once by many at once', async () => {
    const own = await startPeopleService()
    try {
      await own.storage.commit([{ query: own.storage.db.deleteFrom('administrators') }])
      const made = await Promise.all([1, 2, 3].map(() => own.administrators.createFirst({})))
      const [first, ...others] = made.filter(outcome => outcome !== null)
      expect(others).toEqual([])
      const pair = { email: String(first?.email), password: String(first?.generatedPassword) }
      expect(pair.password).toHaveLength(20)
      await signInAdministrator(own.app, pair)
    } finally {
      await own.close()
    }
  })
})

describe('accounts', () => {
  test('an account is made with an owner who can sign in', async () => {
    const account = await makeAccount('Owner@example.org')
    expect(account).toEqual({
      id: expect.stringMatching(/^acc_/),
      object: 'account',
      name: 'Account of Owner@example.org',
      status: 'active',
      used: 0,
      quota: 0,
      remaining: 0,
      credit_status: 'exhausted',
      owner: { id: expect.stringMatching(/^usr_/), email: 'owner@example.org', name: 'Owner' },
      created_at: expect.stringMatching(/Z$/),
      closed_at: null,
      closed_by: null,
    })
    expect((await root.get(`/admin/accounts/${account.id}`)).body).toEqual(account)
    const pair = { email: 'owner@example.org', password: PASSWORD }
    expect((await createBrowser(service.app).post('/client/sign-in', pair)).body.account.id).toBe(account.id)
    expect(await actionsOn(account.id)).toEqual(['account.create'])
    expect(JSON.stringify((await root.get('/admin/audit')).body)).not.toMatch(/password":|argon2|battery/)
  })

  test('an e-mail that is taken makes neither account nor user', async () => {
    await makeAccount('once@example.org')
    const before = (await root.get('/admin/accounts?limit=100')).body.data.length
    const body = { name: 'x', owner: { email: 'ONCE@example.org', name: 'x', password: PASSWORD } }
    expect(await root.post('/admin/accounts', body)).toMatchObject({
      status: 409,
      body: { error: { type: 'conflict_error' } },
    })
    expect((await root.get('/admin/accounts?limit=100')).body.data).toHaveLength(before)
  })

  test('an unknown account is not found', async () => {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'x' }],
      ['GET', '/ledger', undefined],
      ['POST', '/credits', { amount: 1, kind: 'grant' }],
    ] as const) {
      const reply = await root.call(method, `/admin/accounts/acc_none${path}`, { body })
      expect(reply).toMatchObject({ status: 404, body: { error: { type: 'not_found_error' } } })
    }
  })

  test("a suspended account's keys stop at once, and work again when it is opened", async () => {
    const account = await makeAccount('suspended@example.org')
    const { token } = (await root.post('/admin/keys', { user_id: account.owner.id, name: 'k' })).body
    const find = async () => service.callers.find(hashToken(token))
    expect(await find()).toMatchObject({ accountId: account.id })
    const suspended = await root.patch(`/admin/accounts/${account.id}`, { status: 'suspended' })
    expect(suspended).toMatchObject({ status: 200, body: { status: 'suspended', name: account.name } })
    expect(await find()).toBeNull()
    await root.patch(`/admin/accounts/${account.id}`, { status: 'active', name: 'Open again' })
    expect(await find()).toMatchObject({ accountId: account.id })
    expect((await root.patch(`/admin/accounts/${account.id}`, { status: 'gone' })).status).toBe(400)
  })

  test('credits are granted, adjusted and refunded, each with an entry and its place on the log', async () => {
    const account = await makeAccount('credits@example.org')
    const change = (body: object) => root.post(`/admin/accounts/${account.id}/credits`, body)
    const grant = await change({ amount: 10.000001, kind: 'grant', note: ' welcome ' })
    expect(grant.status).toBe(201)
    expect(grant.body).toEqual({
      id: expect.stringMatching(/^led_/),
      object: 'ledger_entry',
      kind: 'grant',
      amount: 10.000001,
      balance_after: 10.000001,
      request_id: null,
      order_id: null,
      note: 'welcome',
      created_at: expect.stringMatching(/Z$/),
    })
    expect((await change({ amount: -4, kind: 'adjustment' })).body.balance_after).toBe(6.000001)
    expect((await change({ amount: 1, kind: 'refund' })).body.balance_after).toBe(7.000001)
    expect((await root.get(`/admin/accounts/${account.id}`)).body).toMatchObject({
      quota: 7.000001,
      used: 0,
      remaining: 7.000001,
      credit_status: 'active',
    })
    const ledger = (await root.get(`/admin/accounts/${account.id}/ledger`)).body
    expect(ledger.data.map((entry: { kind: string }) => entry.kind)).toEqual([
      'refund',
      'adjustment',
      'grant',
    ])
    expect(ledger.next_cursor).toBeNull()
    expect((await actionsOn(account.id)).filter(action => action === 'account.change_credits')).toHaveLength(
      3,
    )
  })

  test('an amount that can not be is refused, and leaves no trace', async () => {
    const account = await makeAccount('refused@example.org')
    for (const body of [
      { amount: 0, kind: 'grant' },
      { amount: -1, kind: 'grant' },
      { amount: 0, kind: 'adjustment' },
      { amount: 0.0000001, kind: 'grant' },
      { amount: 1e300, kind: 'grant' },
      { amount: '5', kind: 'grant' },
      { amount: 5, kind: 'charge' },
      { amount: 5, kind: 'purchase' },
      { amount: 5 },
    ]) {
      const reply = await root.post(`/admin/accounts/${account.id}/credits`, body)
      expect(reply, JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { error: { type: 'invalid_request_error' } },
      })
    }
    expect((await root.get(`/admin/accounts/${account.id}/ledger`)).body.data).toEqual([])
    expect(await actionsOn(account.id)).toEqual(['account.create'])
  })

  test("a ledger's pages have no gaps and no repeats while entries arrive, and are the account's own", async () => {
    const account = await makeAccount('pages@example.org')
    await makeAccount('neighbour@example.org')
    const grant = () => root.post(`/admin/accounts/${account.id}/credits`, { amount: 1, kind: 'grant' })
    for (let i = 0; i < 11; i++) await grant()
    const owner = await createBrowser(service.app).post('/client/sign-in', {
      email: 'pages@example.org',
      password: PASSWORD,
    })
    const browser = createBrowser(service.app, owner.cookie)
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const reply = await browser.get(`/client/ledger?limit=4${cursor === null ? '' : `&cursor=${cursor}`}`)
      seen.push(...reply.body.data.map((entry: { balance_after: number }) => entry.balance_after))
      cursor = reply.body.next_cursor
      await grant()
    } while (cursor !== null)
    expect(seen).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })
})

describe('users', () => {
  test('and keys are listed with the names of whom they belong to', async () => {
    const account = await makeAccount('named@example.org')
    const [user, named] = [account.owner, { id: account.id, name: account.name }]
    await root.post('/admin/keys', { user_id: user.id, name: 'k' })
    const { data: users } = (await root.get(`/admin/users?account_id=${account.id}`)).body
    expect(users).toMatchObject([{ id: user.id, account_id: account.id, account: named }])
    const { data: keys } = (await root.get(`/admin/keys?account_id=${account.id}`)).body
    expect(keys).toMatchObject([{ user_id: user.id, user: { id: user.id, name: 'Owner' }, account: named }])
  })

  test('a user gets an account of their own, or joins the one that is named', async () => {
    const alone = await root.post('/admin/users', {
      email: 'alone@example.org',
      name: 'Alone',
      password: PASSWORD,
    })
    expect(alone).toMatchObject({ status: 201, body: { object: 'user', status: 'active', name: 'Alone' } })
    const account = (await root.get(`/admin/accounts/${alone.body.account_id}`)).body
    expect(account.owner.id).toBe(alone.body.id)
    const body = { email: 'joins@example.org', name: 'J', password: PASSWORD, account_id: account.id }
    const joins = await root.post('/admin/users', body)
    expect(joins.body.account_id).toBe(account.id)
    const members = (await root.get(`/admin/users?account_id=${account.id}`)).body.data
    expect(members.map((user: { id: string }) => user.id).sort()).toEqual(
      [alone.body.id, joins.body.id].sort(),
    )
    expect(Object.keys(members[0])).not.toContain('password_hash')

    expect((await root.post('/admin/users', body)).status).toBe(409)
    const nowhere = { ...body, email: 'nowhere@example.org', account_id: 'acc_none' }
    expect((await root.post('/admin/users', nowhere)).status).toBe(404)
  })

  test('a new password ends all sessions and opens new ones', async () => {
    const user = await signUp(service.app, 'changes@example.org')
    const { id } = (await user.get('/client/me')).body.user
    expect((await root.patch(`/admin/users/${id}`, { password: 'short' })).status).toBe(400)
    const reply = await root.patch(`/admin/users/${id}`, { password: 'an entirely new one' })
    expect(reply.status).toBe(200)
    expect(JSON.stringify(reply.body)).not.toContain('entirely')
    expect((await user.get('/client/me')).status).toBe(401)
    const tryIn = async (password: string) =>
      (await createBrowser(service.app).post('/client/sign-in', { email: 'changes@example.org', password }))
        .status
    expect(await tryIn(PASSWORD)).toBe(401)
    expect(await tryIn('an entirely new one')).toBe(200)
    expect(await actionsOn(id)).toEqual(['user.change_password'])
  })

  test('a disabled user loses sessions, keys and the way in, and gets the last two back', async () => {
    const user = await signUp(service.app, 'disabled@example.org')
    const { id } = (await user.get('/client/me')).body.user
    const { token } = (await user.post('/client/keys', { name: 'k' })).body
    const find = async () => service.callers.find(hashToken(token))
    const tryIn = async () => {
      const pair = { email: 'disabled@example.org', password: PASSWORD }
      return (await createBrowser(service.app).post('/client/sign-in', pair)).status
    }
    expect(await find()).not.toBeNull()
    expect((await root.patch(`/admin/users/${id}`, { status: 'disabled' })).body.status).toBe('disabled')
    expect([await find(), (await user.get('/client/me')).status, await tryIn()]).toEqual([null, 401, 401])
    await root.patch(`/admin/users/${id}`, { status: 'active' })
    expect((await user.get('/client/me')).status).toBe(401)
    expect(await tryIn()).toBe(200)
    expect(await find()).not.toBeNull()
  })

  test('an e-mail is changed, unless somebody has it', async () => {
    const user = await signUp(service.app, 'before@example.org')
    await signUp(service.app, 'has-it@example.org')
    const { id } = (await user.get('/client/me')).body.user
    expect((await root.patch(`/admin/users/${id}`, { email: 'HAS-IT@example.org' })).status).toBe(409)
    const reply = await root.patch(`/admin/users/${id}`, { email: 'After@example.org', name: 'After' })
    expect(reply.body).toMatchObject({ email: 'after@example.org', name: 'After' })
    expect((await user.get('/client/me')).body.user.email).toBe('after@example.org')
    expect((await root.patch('/admin/users/usr_none', { name: 'x' })).status).toBe(404)
  })
})

describe('requests', () => {
  test('each account sees its own, filtered, in full, without gaps; administrators see all', async () => {
    const ada = await signUp(service.app, 'requests@example.org')
    const bob = await signUp(service.app, 'no-requests@example.org')
    const account_id = (await ada.get('/client/me')).body.account.id
    const moment = 1_795_000_000_000
    const idOf = (i: number) => `${firstIdAt('req', moment + i)}0000000000000000`
    for (let i = 10; i < 35; i++) {
      const row = requestRow({
        id: idOf(i),
        created_at: moment + i,
        account_id,
        key_id: i % 2 ? 'key_odd' : 'key_even',
        model: i < 20 ? 'm/old' : 'm/new',
        ...(i === 34 ? { status: 'failed' as const, error_type: 'upstream_error', provider: null } : {}),
      })
      await service.ledger.record(row, { charged: row.status === 'succeeded' })
    }
    const ids = (reply: { body: { data: { id: string }[] } }) => reply.body.data.map(item => item.id)
    const first = await ada.get('/client/requests')
    expect(ids(first)).toHaveLength(20)
    expect(first.body.data[0]).toMatchObject({
      id: idOf(34),
      status: 'failed',
      credits: 0,
      route: null,
      error: { type: 'upstream_error', code: null },
    })
    expect(first.body.data[1]).toMatchObject({
      object: 'request',
      stream: true,
      route: { provider: 'p', upstream_model: 'u' },
      usage: { input: 10, cache_read: 1, cache_write: 2, output: 3 },
      weights: { input: 2.5, cache_read: 0, cache_write: 1, output: 10 },
      credits: 0.000057,
      usage_source: 'upstream',
      latency_ms: 120,
      time_to_first_token_ms: 40,
      error: null,
    })
    const second = await ada.get(`/client/requests?cursor=${first.body.next_cursor}`)
    expect(ids(second)).toEqual([14, 13, 12, 11, 10].map(idOf))
    expect(second.body.next_cursor).toBeNull()

    expect(first.body.data[0]).not.toHaveProperty('account')
    const named = { id: account_id, name: 'requests@example.org' }
    const { data: all } = (await root.get(`/admin/requests?account_id=${account_id}`)).body
    expect(all[0]).toMatchObject({ id: idOf(34), account: named })
    expect((await root.get(`/admin/requests/${idOf(34)}`)).body).toMatchObject({ account: named })
    expect(ids(await ada.get('/client/requests?status=failed'))).toEqual([idOf(34)])
    expect(ids(await ada.get('/client/requests?key_id=key_odd&model=m%2Fold'))).toHaveLength(5)
    expect((await ada.get('/client/requests?status=lost')).status).toBe(400)
    expect(ids(await bob.get('/client/requests?key_id=key_odd'))).toEqual([])
    expect(ids(await bob.get('/client/ledger'))).toEqual([])
    expect(ids(await root.get(`/admin/requests?account_id=${account_id}&limit=100`))).toHaveLength(25)
    expect(ids(await root.get('/admin/requests?account_id=acc_none'))).toEqual([])
  })
})

test('the settings are the defaults until they are changed, and each change is on the log', async () => {
  const own = await startPeopleService()
  try {
    const operator = await signInAdministrator(own.app, ADMINISTRATOR)
    const defaults = {
      sign_up: 'open',
      email_verification: 'optional',
      default_limits: { requests: 600, window_seconds: 60, concurrency: 32 },
      request_retention_days: null,
      invoice_instructions: '',
      low_balance_percent: 10,
      receipt_seller: '',
      branding: { name: 'Goldweight', logo: null, colour: null },
    }
    const before = (await operator.get('/admin/settings')).body
    expect(before).toMatchObject(defaults)
    expect((await operator.patch('/admin/settings', {})).body).toEqual(before)
    expect((await operator.patch('/admin/settings', { default_limits: { requests: 0 } })).status).toBe(400)
    const [a, b] = await Promise.all([
      operator.patch('/admin/settings', { default_limits: { requests: 5 } }),
      operator.patch('/admin/settings', { default_limits: { concurrency: 6 } }),
    ])
    expect([a.status, b.status]).toEqual([200, 200])
    const after = (await operator.get('/admin/settings')).body
    expect(after.default_limits).toEqual({ requests: 5, window_seconds: 60, concurrency: 6 })
    const { data } = (await operator.get('/admin/audit')).body
    expect(data.map((entry: { action: string }) => entry.action)).toEqual([
      'settings.update',
      'settings.update',
      'administrator.create',
    ])
    expect(data[2].actor).toEqual({ type: 'system', id: null })
  } finally {
    await own.close()
  }
})

/** What the log holds of one thing. */
async function historyOf(id: string): Promise<{ action: string; before: unknown; after: unknown }[]> {
  const { data } = (await root.get('/admin/audit?limit=100')).body
  return data.filter((entry: { target: { id: string } }) => entry.target.id === id)
}

describe('changes at the same moment', () => {
  /** Each entry begins with what another left behind, and each reply is one of these records; gives the last one. */
  async function expectUnbroken(id: string, replies: readonly { status: number; body: unknown }[]) {
    const entries = (await historyOf(id)).filter(entry => entry.action.endsWith('.update'))
    expect(entries).toHaveLength(replies.length)
    const left = entries.map(entry => entry.after)
    const [first, ...others] = entries.filter(
      ({ before }) => !left.some(after => isDeepStrictEqual(after, before)),
    )
    expect(others).toEqual([])
    let last = first
    for (let step = 1; step < entries.length; step++) {
      const next = entries.filter(({ before }) => isDeepStrictEqual(before, last?.after))
      expect(next).toHaveLength(1)
      last = next[0]
    }
    for (const { status, body } of replies) {
      expect(status).toBe(200)
      expect(left).toContainEqual(body)
    }
    return last?.after
  }

  test('to an account: the log shows each as it was made', async () => {
    const { id } = await makeAccount('moment-account@example.org')
    const bodies = [{ name: 'A' }, { status: 'suspended' }, { name: 'B' }]
    const replies = await Promise.all(bodies.map(body => root.patch(`/admin/accounts/${id}`, body)))
    expect(await expectUnbroken(id, replies)).toEqual((await root.get(`/admin/accounts/${id}`)).body)
  })

  test('to a user', async () => {
    const { owner } = await makeAccount('moment-user@example.org')
    const bodies = [{ name: 'A' }, { status: 'disabled' }, { email: 'moment-2@example.org' }, { name: 'B' }]
    const replies = await Promise.all(bodies.map(body => root.patch(`/admin/users/${owner.id}`, body)))
    await expectUnbroken(owner.id, replies)
  })

  test('to a key', async () => {
    const { owner } = await makeAccount('moment-key@example.org')
    const key = (await root.post('/admin/keys', { user_id: owner.id, name: 'key' })).body
    const bodies = [{ name: 'A' }, { limits: { requests: 1 } }, { limits: { concurrency: 2 } }]
    const replies = await Promise.all(bodies.map(body => root.patch(`/admin/keys/${key.id}`, body)))
    await expectUnbroken(key.id, replies)
  })

  test('to the settings', async () => {
    const bodies = [{ requests: 601 }, { requests: 602 }, { concurrency: 33 }].map(default_limits => ({
      default_limits,
    }))
    const replies = await Promise.all(bodies.map(body => root.patch('/admin/settings', body)))
    expect(await expectUnbroken('settings', replies)).toEqual((await root.get('/admin/settings')).body)
  })
})

test('an account that is made along with its user is on the log too', async () => {
  const user = await root.post('/admin/users', {
    email: 'along@example.org',
    name: 'Along',
    password: PASSWORD,
  })
  const account = (await root.get(`/admin/accounts/${user.body.account_id}`)).body
  expect(await historyOf(account.id)).toMatchObject([
    { action: 'account.create', before: null, after: account },
  ])
})

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('the branding takes pictures and colours alone, and the log tells a picture by its digest', async () => {
  const set = (branding: unknown) => root.patch('/admin/settings', { branding })
  for (const wrong of [
    { name: ' ' },
    { name: 'N'.repeat(41) },
    { name: 'two\nlines' },
    { logo: 'https://elsewhere.example/logo.png' },
    { logo: 'data:image/svg+xml;base64,PHN2Zy8+' },
    { logo: `data:image/png;base64,${Buffer.from('<svg/>').toString('base64')}` },
    { logo: `data:image/png;base64,iVBORw0KGgo${'A'.repeat(87_400)}` },
    { colour: 'red' },
    { colour: '#fff' },
    { colour: '#00ff00;--ink:red' },
  ]) {
    expect([wrong, (await set(wrong)).status]).toEqual([wrong, 400])
  }
  expect((await set({ name: 'Acme', logo: PICTURE })).body.branding).toEqual({
    name: 'Acme',
    logo: PICTURE,
    colour: null,
  })
  const [entry] = (await root.get('/admin/audit?limit=1')).body.data
  expect(entry.after.branding).toMatchObject({
    name: 'Acme',
    logo: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
  })
  await set({ name: 'Goldweight', logo: null })
})
