/** Closing an account: it ends for everybody at once, is on the log, and only what was not taken for good comes back. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashToken } from '#domains/keys/token.ts'
import { micros } from '#lib/money.ts'
import { type Browser, createBrowser, signInAdministrator, signUp } from './browser.ts'
import { ADMINISTRATOR, type PeopleService, startPeopleService } from './people-service.ts'

const PASSWORD = 'correct horse battery'

let service: PeopleService
let root: Browser
let operator: Browser
beforeAll(async () => {
  service = await startPeopleService()
  root = await signInAdministrator(service.app, ADMINISTRATOR)
  const pair = { email: 'operator@example.org', password: PASSWORD }
  await root.post('/admin/administrators', { ...pair, name: 'Esi', role: 'operator' })
  operator = await signInAdministrator(service.app, pair)
})
afterAll(() => service.close())

let made = 0
let email: string
let user: Browser
let account: { readonly id: string; readonly name: string; readonly owner: { readonly id: string } }
let token: string
beforeEach(async () => {
  email = `closing${++made}@example.org`
  user = await signUp(service.app, email, PASSWORD)
  account = (await root.get(`/admin/accounts?search=${email}`)).body.data[0]
  token = (await user.post('/client/keys', { name: 'k' })).body.token
  await root.post(`/admin/accounts/${account.id}/credits`, { amount: 5, kind: 'grant', note: 'n' })
})

const path = (rest = '') => `/admin/accounts/${account.id}${rest}`
const close = (by = operator) => by.post(path('/close'), { confirm: account.name })
const signIn = () => createBrowser(service.app).post('/client/sign-in', { email, password: PASSWORD })
const find = async () => service.callers.find(hashToken(token))

test('ends keys and sessions, lets nobody in, keeps the balance, and says when and by whom', async () => {
  expect(await find()).not.toBeNull()
  const closed = await close()
  expect(closed).toMatchObject({
    status: 200,
    body: {
      id: account.id,
      status: 'suspended',
      closed_at: expect.stringMatching(/Z$/),
      closed_by: { id: expect.stringMatching(/^adm_/), name: 'Esi' },
      remaining: 5,
    },
  })
  expect((await root.get(path())).body).toEqual(closed.body)
  expect(await find()).toBeNull()
  expect((await user.get('/client/me')).status).toBe(401)
  const refused = await signIn()
  expect(refused).toMatchObject({ status: 401, body: { error: { type: 'authentication_error' } } })
  const { data: keys } = (await root.get(`/admin/keys?account_id=${account.id}`)).body
  expect(keys).toMatchObject([{ revoked_at: closed.body.closed_at }])
  const paidOut = { amount: -5, kind: 'adjustment', note: 'Paid out' }
  expect((await root.post(path('/credits'), paidOut)).body.balance_after).toBe(0)
})

test('is on the audit log with what was before and after', async () => {
  const { body: closed } = await close()
  const { data } = (await root.get(`/admin/audit?target_id=${account.id}&action=account.close`)).body
  expect(data).toMatchObject([
    {
      actor: { type: 'administrator' },
      before: { status: 'active', closed_at: null, closed_by: null },
      after: { status: 'suspended', closed_at: expect.any(String), closed_by: { name: 'Esi' } },
    },
  ])
  expect(data[0].after).toEqual(closed)
})

test('takes the name of the account, and is done once', async () => {
  for (const confirm of ['', account.name.toUpperCase()])
    expect(await operator.post(path('/close'), { confirm })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('confirm') } },
    })
  const replies = await Promise.all([close(), close(), close(root)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect((await root.post('/admin/accounts/acc_none/close', { confirm: 'x' })).status).toBe(404)
})

test('nobody joins a closed account, gets a key in it, or sets it to active by the way', async () => {
  await close()
  const person = { email: `late${made}@example.org`, name: 'Late', password: PASSWORD }
  for (const reply of [
    await root.post('/admin/users', { ...person, account_id: account.id }),
    await root.post('/admin/keys', { user_id: account.owner.id, name: 'k' }),
    await root.patch(path(), { status: 'active' }),
  ])
    expect(reply).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('closed') } },
    })
  expect((await root.patch(path(), { name: 'Renamed' })).body).toMatchObject({
    name: 'Renamed',
    status: 'suspended',
  })
})

test('what was about to be bought by itself is not', async () => {
  const { db } = service.storage
  const [price, amount] = [{ price_minor: 100, currency: 'EUR' }, micros(1_000_000n)]
  const sold = { id: 'pkg_1', name: 'p', credits_micros: amount, ...price, on_sale: 1, position: 0 } as const
  const topUp = { account_id: account.id, enabled: 1, package_id: sold.id, threshold_micros: amount } as const
  const rest = {
    monthly_ceiling_minor: 100,
    orders_made: 0,
    failures: 0,
    next_attempt_at: null,
    problem: null,
  }
  const outcome = await service.storage.commit([
    { query: db.insertInto('packages').values({ ...sold, created_at: 1 }) },
    { query: db.insertInto('auto_top_ups').values({ ...topUp, ...rest }) },
  ])
  expect(outcome.kind).toBe('committed')
  await close()
  const rows = db.selectFrom('auto_top_ups').select('enabled').where('account_id', '=', account.id)
  expect(await rows.execute()).toEqual([{ enabled: 0 }])
})

test('an owner of the service reopens it: users are let in, revoked keys stay revoked', async () => {
  expect((await root.post(path('/reopen'))).status).toBe(409)
  await close()
  expect((await operator.post(path('/reopen'))).status).toBe(403)
  expect(await root.post(path('/reopen'))).toMatchObject({
    status: 200,
    body: { status: 'active', closed_at: null, closed_by: null, remaining: 5 },
  })
  expect((await signIn()).status).toBe(200)
  expect((await user.get('/client/me')).status).toBe(401)
  expect(await find()).toBeNull()
  expect((await root.post('/admin/keys', { user_id: account.owner.id, name: 'new' })).status).toBe(201)
  expect((await root.post('/admin/accounts/acc_none/reopen')).status).toBe(404)
  const { data } = (await root.get(`/admin/audit?target_id=${account.id}&action=account.reopen`)).body
  expect(data).toHaveLength(1)
})
