import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestRow } from '#storage/tables.ts'
import { figuresOf, postCourse } from '#test/storage/usage.fixture.ts'
import { type Browser, signInAdministrator, signUp } from './browser.ts'
import { ADMINISTRATOR, type PeopleService, startPeopleService } from './people-service.ts'

const HOUR = 3_600_000

let service: PeopleService
let ada: Browser
let bob: Browser
let root: Browser
let accounts: string[]
let records: RequestRow[]

beforeAll(async () => {
  service = await startPeopleService()
  ada = await signUp(service.app, 'ada@example.org')
  bob = await signUp(service.app, 'bob@example.org')
  root = await signInAdministrator(service.app, ADMINISTRATOR)
  accounts = await Promise.all(
    [ada, bob].map(async browser => (await browser.get('/client/me')).body.account.id as string),
  )
  const now = Date.now()
  records = await postCourse(service.storage, { accounts, fromMs: now - 5 * HOUR, toMs: now, count: 500 })
})
afterAll(() => service.close())

const of = (account: string | undefined) => records.filter(row => row.account_id === account)

test('usage is that of the own account, whatever else is asked for', async () => {
  const own = await ada.get('/client/usage?bucket=hour&group_by=model')
  expect(own.body.totals).toMatchObject(figuresOf(of(accounts[0])))
  expect(own.body).toMatchObject({ object: 'list', bucket: 'hour', group_by: 'model', next_cursor: null })
  expect(own.headers['cache-control']).toBe('no-store')
  const other = await ada.get(`/client/usage?bucket=hour&account_id=${accounts[1]}`)
  expect(other.body.totals).toMatchObject(figuresOf(of(accounts[0])))
  const key = await ada.get(`/client/usage?bucket=hour&key_id=key_${accounts[1]}_0`)
  expect(key.body.totals.requests).toBe(0)
})

test('administrators see the usage of all accounts, or of one', async () => {
  expect((await root.get('/admin/usage?bucket=hour')).body.totals).toMatchObject(figuresOf(records))
  const one = await root.get(`/admin/usage?bucket=hour&account_id=${accounts[1]}`)
  expect(one.body.totals).toMatchObject(figuresOf(of(accounts[1])))
  const byAccount = (await root.get('/admin/usage?bucket=hour&group_by=account')).body.groups
  expect(byAccount.map((group: { label: string }) => group.label).sort()).toEqual([
    'ada@example.org',
    'bob@example.org',
  ])
})

test.each([
  ['bucket=week', /bucket/],
  ['group_by=account', /group_by/],
  ['from=yesterday', /from: must be a moment/],
  ['from=2026-01-02&to=2026-01-01', /to: must be after from/],
  ['bucket=hour&from=2026-01-01&to=2026-06-01', /31 days/],
  ['tz=Europe/Paris', /tz: must be whole hours/],
  ['top=0', /top/],
])('usage refuses %s, saying what is wrong', async (query, message) => {
  for (const path of ['/client/usage', '/client/usage.csv']) {
    const reply = await ada.get(`${path}?${query}`)
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(message),
    })
  }
})

/** The lines of a CSV file without quoted cells, as records by the names of the first. */
async function readCsv(browser: Browser, path: string): Promise<Record<string, string>[]> {
  const response = await service.app.inject({
    method: 'GET',
    url: path,
    headers: { cookie: browser.cookie ?? '' },
  })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(response.headers['content-disposition']).toMatch(/^attachment; filename="[a-z]+\.csv"$/)
  expect(response.body.endsWith('\r\n')).toBe(true)
  const [names = '', ...lines] = response.body.trimEnd().split('\r\n')
  return lines.map(line => {
    const cells = line.split(',')
    return Object.fromEntries(names.split(',').map((name, index) => [name, cells[index] ?? '']))
  })
}

describe('files', () => {
  test('of usage hold the same figures, with a line for every group', async () => {
    const lines = await readCsv(ada, '/client/usage.csv?bucket=hour&group_by=key&top=1')
    const figures = figuresOf(of(accounts[0]))
    const sum = (name: string) => lines.reduce((total, line) => total + Number(line[name]), 0)
    expect(new Set(lines.map(line => line.key)).size).toBe(2)
    expect(sum('requests')).toBe(figures.requests)
    expect(sum('output_tokens')).toBe(figures.usage.output)
    expect(sum('failed_upstream')).toBe(figures.failures.upstream)
    expect(Math.round(sum('credits') * 1_000_000)).toBe(Math.round(figures.credits * 1_000_000))
  })

  test('of requests hold every one of the own account that fits', async () => {
    const lines = await readCsv(ada, '/client/requests.csv')
    const own = of(accounts[0])
    expect(lines.map(line => line.id)).toEqual(
      own
        .map(row => row.id)
        .sort()
        .reverse(),
    )
    const [first] = lines
    const row = own.find(({ id }) => id === first?.id)
    expect(first).toMatchObject({
      status: row?.status,
      input_tokens: String(row?.input_tokens),
      latency_ms: String(row?.latency_ms),
      created_at: new Date(row?.created_at ?? 0).toISOString(),
    })
    const failed = await readCsv(ada, '/client/requests.csv?status=failed')
    expect(failed).toHaveLength(own.filter(({ status }) => status === 'failed').length)
  })

  test('of a span without anything hold the names of their columns alone', async () => {
    expect(await readCsv(ada, '/client/requests.csv?from=2099-01-01')).toEqual([])
    expect(await readCsv(ada, '/client/usage.csv?from=2020-01-01&to=2020-02-01')).toEqual([])
  })
})

test("a request is shown with its receipt, and another account's is not found", async () => {
  const charged = of(accounts[0]).find(row => row.charge_micros > 0n)
  const reply = await ada.get(`/client/requests/${charged?.id}`)
  expect(reply.body).toMatchObject({ id: charged?.id, receipt: { charged: expect.any(String) } })
  expect((await bob.get(`/client/requests/${charged?.id}`)).status).toBe(404)
  expect((await root.get(`/admin/requests/${charged?.id}`)).body.receipt).toEqual(reply.body.receipt)
  expect((await ada.get('/client/requests/req_none')).status).toBe(404)
})

test('administrators search requests by account, key, model, provider, status, time and id', async () => {
  const [one] = of(accounts[1]).filter(row => row.provider !== null)
  const at = (ms: number) => new Date(ms).toISOString()
  const query = new URLSearchParams({
    account_id: one?.account_id ?? '',
    key_id: one?.key_id ?? '',
    model: one?.model ?? '',
    provider: one?.provider ?? '',
    status: one?.status ?? '',
    from: at(one?.created_at ?? 0),
    to: at((one?.created_at ?? 0) + 1),
  })
  for (const path of [`/admin/requests?${query}`, `/admin/requests?id=${one?.id}`]) {
    const { data } = (await root.get(path)).body
    expect(data.map((record: { id: string }) => record.id)).toEqual([one?.id])
  }
})

test('the ledger is narrowed down by kind and time', async () => {
  await root.post(`/admin/accounts/${accounts[0]}/credits`, { amount: 5, kind: 'grant', note: 'hello' })
  const { data } = (await ada.get('/client/ledger?kind=grant,purchase')).body
  expect(data).toMatchObject([{ kind: 'grant', amount: 5, note: 'hello' }])
  expect((await ada.get('/client/ledger?kind=charge&from=2099-01-01')).body.data).toEqual([])
  expect((await ada.get('/client/ledger?kind=bribe')).status).toBe(400)
})
