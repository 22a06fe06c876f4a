import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '#domains/keys/token.ts'
import { type Browser, createBrowser, signInAdministrator, signUp } from './browser.ts'
import { ADMINISTRATOR, type PeopleService, startPeopleService } from './people-service.ts'

let service: PeopleService
let ada: Browser
let bob: Browser
let root: Browser
beforeAll(async () => {
  service = await startPeopleService()
  ada = await signUp(service.app, 'ada@example.org')
  bob = await signUp(service.app, 'bob@example.org')
  root = await signInAdministrator(service.app, ADMINISTRATOR)
})
afterAll(() => service.close())

async function makeKey(browser: Browser, body: object = { name: 'key' }) {
  const reply = await browser.post('/client/keys', body)
  expect(reply.status).toBe(201)
  return reply.body
}

const find = async (token: string) => service.callers.find(hashToken(token))

describe('the portal', () => {
  test('a key shows its token once, and its hint from then on', async () => {
    const key = await makeKey(ada, { name: '  deploy  ' })
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/),
      object: 'api_key',
      name: 'deploy',
      hint: `${key.token.slice(0, 6)}…${key.token.slice(-3)}`,
      user_id: expect.stringMatching(/^usr_/),
      limits: { requests: 600, window_seconds: 60, concurrency: 32 },
      models: null,
      spending_cap: null,
      created_at: expect.stringMatching(/^20.*Z$/),
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      token: expect.stringMatching(/^gw_[0-9A-Za-z]{49}$/),
    })
    const { token, ...record } = key
    const list = await ada.get('/client/keys')
    expect(list.body.data).toContainEqual(record)
    expect(JSON.stringify(list.body)).not.toContain(token)
  })

  test("another user's key is not there: not listed, not revoked, not told apart from none", async () => {
    const key = await makeKey(ada)
    const list = await bob.get('/client/keys?limit=100')
    expect(list.body.data.map((item: { id: string }) => item.id)).not.toContain(key.id)
    const foreign = await bob.delete(`/client/keys/${key.id}`)
    const unknown = await bob.delete('/client/keys/key_unknown')
    expect(foreign).toMatchObject({ status: 404, body: { error: { type: 'not_found_error' } } })
    expect(foreign.body).toEqual(unknown.body)
    expect(await find(key.token)).toMatchObject({ keyId: key.id })
  })

  test('a key is renamed by its owner alone, until it is revoked, and in nothing but its name', async () => {
    const key = await makeKey(ada, { name: 'before' })
    const change = { name: 'after', limits: { requests: 1 }, expires_at: null }
    const renamed = await ada.patch(`/client/keys/${key.id}`, change)
    const { token, ...record } = key
    expect(renamed).toMatchObject({ status: 200, body: { ...record, name: 'after' } })
    expect(await ada.patch(`/client/keys/${key.id}`, { name: ' ' })).toMatchObject({ status: 400 })
    expect(await bob.patch(`/client/keys/${key.id}`, { name: 'mine' })).toMatchObject({
      status: 404,
      body: { error: { type: 'not_found_error' } },
    })
    await ada.delete(`/client/keys/${key.id}`)
    expect(await ada.patch(`/client/keys/${key.id}`, { name: 'late' })).toMatchObject({ status: 409 })
    expect(await find(token)).toBeNull()
  })

  test('of ten revocations at once one succeeds, and the key is dead when it does', async () => {
    const key = await makeKey(ada)
    expect(await find(key.token)).not.toBeNull()
    const replies = await Promise.all(Array.from({ length: 10 }, () => ada.delete(`/client/keys/${key.id}`)))
    expect(replies.map(reply => reply.status).sort()).toEqual([204, ...Array(9).fill(409)])
    expect(await find(key.token)).toBeNull()
    const again = await ada.delete(`/client/keys/${key.id}`)
    expect(again).toMatchObject({ status: 409, body: { error: { type: 'conflict_error' } } })
    const listed = (await ada.get('/client/keys')).body.data.find(
      (item: { id: string }) => item.id === key.id,
    )
    expect(listed.revoked_at).toMatch(/Z$/)
  })

  test('an expiry lies in the future, in any offset, and ends the key', async () => {
    for (const expires_at of ['2020-01-01T00:00:00Z', 'tomorrow', 5]) {
      const reply = await ada.post('/client/keys', { name: 'x', expires_at })
      expect(reply).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } })
      expect(reply.body.error.message).toContain('expires_at')
    }
    const soon = new Date(service.clock.now() + 3000)
    const key = await makeKey(ada, { name: 'x', expires_at: soon.toISOString().replace('Z', '+00:00') })
    expect(key.expires_at).toBe(soon.toISOString())
    expect(await find(key.token)).not.toBeNull()
    service.clock.advance(3500)
    expect(service.callers.find(hashToken(key.token))).toBeNull()
  })

  test('an expiry that no reply could show is refused, and no list breaks over it', async () => {
    for (const expires_at of ['9999-12-31T23:59:59-10:00', '9999-12-31T23:59:59.999-00:01']) {
      const reply = await ada.post('/client/keys', { name: 'x', expires_at })
      expect(reply.status).toBe(400)
      expect(reply.body.error.message).toContain('expires_at')
    }
    expect((await ada.get('/client/keys')).status).toBe(200)
    const key = await makeKey(ada, { name: 'x', expires_at: '9999-12-31T23:59:59.999Z' })
    expect(key.expires_at).toBe('9999-12-31T23:59:59.999Z')
  })

  test('a name is text that every store keeps and every list shows as it was given', async () => {
    for (const name of ['a\u0000b', 'two\nlines', 'half a pair \ud83d', '   ', 'x'.repeat(201)]) {
      const reply = await ada.post('/client/keys', { name })
      expect(reply.status).toBe(400)
      expect(reply.body.error.message).toContain('name')
    }
    const key = await makeKey(ada, { name: 'Schlüssel 🔑 für «Ada»' })
    expect((await ada.get('/client/keys?limit=1')).body.data[0].name).toBe(key.name)
  })

  test('a user holds a hundred live keys at most, also when they are made at once', async () => {
    const many = await signUp(service.app, 'many@example.org')
    const replies = await Promise.all(
      Array.from({ length: 105 }, () => many.post('/client/keys', { name: 'k' })),
    )
    expect(replies.filter(reply => reply.status === 201)).toHaveLength(100)
    expect(replies.filter(reply => reply.status === 409)).toHaveLength(5)
    const made = replies.find(reply => reply.status === 201)
    await many.delete(`/client/keys/${made?.body.id}`)
    await makeKey(many)
  })

  test('pages have no gaps and no repeats while new keys arrive', async () => {
    const carl = await signUp(service.app, 'carl@example.org')
    const made: string[] = []
    for (let i = 0; i < 25; i++) made.push((await makeKey(carl)).id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const reply = await carl.get(`/client/keys?limit=10${cursor === null ? '' : `&cursor=${cursor}`}`)
      expect(reply.body.object).toBe('list')
      seen.push(...reply.body.data.map((item: { id: string }) => item.id))
      cursor = reply.body.next_cursor
      await makeKey(carl)
    } while (cursor !== null)
    expect(seen).toEqual([...made].sort().reverse())
    expect((await carl.get('/client/keys')).body.data).toHaveLength(20)
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=%21', 'cursor=J09SIDE9MS0t']) {
      expect((await carl.get(`/client/keys?${query}`)).status, query).toBe(400)
    }
  })

  test('a key shows when it was last used', async () => {
    const key = await makeKey(ada)
    service.keyUse.used(key.id)
    await service.keyUse.flush()
    const listed = (await ada.get('/client/keys')).body.data.find(
      (item: { id: string }) => item.id === key.id,
    )
    expect(Math.abs(Date.parse(listed.last_used_at) - service.clock.now())).toBeLessThan(5000)
  })
})

describe('the administration', () => {
  const userOf = async (browser: Browser) => (await browser.get('/client/me')).body.user.id

  test('limits that a key has not follow the settings; those it has do not', async () => {
    const user_id = await userOf(bob)
    const reply = await root.post('/admin/keys', { user_id, name: 'k', limits: { requests: 7 } })
    expect(reply.status).toBe(201)
    expect(reply.body.limits).toEqual({ requests: 7, window_seconds: 60, concurrency: 32 })
    await find(reply.body.token)

    const settings = await root.patch('/admin/settings', { default_limits: { concurrency: 3 } })
    expect(settings.body).toMatchObject({
      sign_up: 'open',
      email_verification: 'optional',
      default_limits: { requests: 600, window_seconds: 60, concurrency: 3 },
    })
    expect(await find(reply.body.token)).toMatchObject({
      limits: { requests: 7, windowSeconds: 60, concurrency: 3 },
    })
    const patched = await root.patch(`/admin/keys/${reply.body.id}`, { limits: { concurrency: 9 } })
    expect(patched.body.limits).toEqual({ requests: 7, window_seconds: 60, concurrency: 9 })
    expect(await find(reply.body.token)).toMatchObject({ limits: { concurrency: 9 } })
    await root.patch('/admin/settings', { default_limits: { concurrency: 32 } })
    for (const limits of [{ requests: 0 }, { concurrency: -1 }, { window_seconds: 1.5 }]) {
      expect((await root.patch(`/admin/keys/${reply.body.id}`, { limits })).status).toBe(400)
    }
  })

  test('a key is renamed, given an expiry and relieved of it', async () => {
    const key = await makeKey(ada)
    const expires_at = new Date(service.clock.now() + 60_000).toISOString()
    const patched = await root.patch(`/admin/keys/${key.id}`, { name: 'renamed', expires_at })
    expect(patched).toMatchObject({ status: 200, body: { name: 'renamed', expires_at } })
    expect((await root.patch(`/admin/keys/${key.id}`, { expires_at: null })).body.expires_at).toBeNull()
    expect((await root.patch(`/admin/keys/${key.id}`, {})).body.name).toBe('renamed')
    expect((await root.patch(`/admin/keys/${key.id}`, { expires_at: '2020-01-01T00:00:00Z' })).status).toBe(
      400,
    )
    expect((await root.patch('/admin/keys/key_unknown', { name: 'x' })).status).toBe(404)
  })

  test('any key is revoked, once, and can not be changed after', async () => {
    const key = await makeKey(ada)
    expect((await root.delete(`/admin/keys/${key.id}`)).status).toBe(204)
    expect(await find(key.token)).toBeNull()
    expect((await root.delete(`/admin/keys/${key.id}`)).status).toBe(409)
    expect((await root.patch(`/admin/keys/${key.id}`, { name: 'x' })).status).toBe(409)
    expect((await root.delete('/admin/keys/key_unknown')).status).toBe(404)
  })

  test('keys are listed by user and by account', async () => {
    const dora = await signUp(service.app, 'dora@example.org')
    const me = (await dora.get('/client/me')).body
    const key = await makeKey(dora)
    for (const query of [`user_id=${me.user.id}`, `account_id=${me.account.id}`]) {
      const list = await root.get(`/admin/keys?${query}`)
      expect(list.body.data.map((item: { id: string }) => item.id)).toEqual([key.id])
    }
    expect((await root.get('/admin/keys?user_id=usr_none')).body.data).toEqual([])
    expect((await root.post('/admin/keys', { user_id: 'usr_none', name: 'k' })).status).toBe(404)
  })

  test('the audit log names what was done to keys, and never a token', async () => {
    const user_id = await userOf(bob)
    const made = (await root.post('/admin/keys', { user_id, name: 'audited' })).body
    await root.patch(`/admin/keys/${made.id}`, { name: 'again' })
    await root.delete(`/admin/keys/${made.id}`)
    const text = JSON.stringify((await root.get('/admin/audit?limit=100')).body)
    expect(text).not.toContain(made.token)
    const entries = (await root.get('/admin/audit?limit=100')).body.data.filter(
      (entry: { target: { id: string } }) => entry.target.id === made.id,
    )
    expect(entries.map((entry: { action: string }) => entry.action).sort()).toEqual([
      'key.create',
      'key.revoke',
      'key.update',
    ])
    const { administrator } = (await root.get('/admin/me')).body
    expect(entries[0].actor).toEqual({ type: 'administrator', id: administrator.id })
  })
})

test('a cookie of a user opens nothing of the administration', async () => {
  const reply = await createBrowser(service.app, ada.cookie).get('/admin/keys')
  expect(reply.status).toBe(401)
})
