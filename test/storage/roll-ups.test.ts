import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestStatus } from '#contract/usage.ts'
import { newId } from '#lib/id.ts'
import { micros } from '#lib/money.ts'
import { DURATION_BOUNDS_MS, DURATION_BUCKETS } from '#storage/roll-ups/duration-buckets.ts'
import { COUNT_COLUMNS, HOUR_MS, type UsageFiguresRow } from '#storage/roll-ups/usage-tables.ts'
import type { Storage } from '#storage/storage.ts'
import type { RequestRow } from '#storage/tables.ts'
import { ENGINES, type OpenedStorage } from './engines.ts'
import { entryOf, insertAccount, requestOf } from './rows.ts'

const BASE_MS = 1_795_046_400_000

const duration = fc.oneof(
  fc.constantFrom(0, 10, 11, 630_000, 630_001, ...DURATION_BOUNDS_MS),
  fc.integer({ min: 0, max: 2_000_000 }),
)

const request = fc.record({
  account: fc.integer({ min: 0, max: 2 }),
  key_id: fc.constantFrom('key_a', 'key_b'),
  model: fc.constantFrom('a/model', 'b/model', null),
  weights_json: fc.constantFrom('{"input":"1","cache_read":"1","cache_write":"1","output":"1"}', null),
  endpoint: fc.constantFrom('chat' as const, 'embeddings' as const),
  provider: fc.constantFrom('one', 'two', null),
  status: fc.constantFrom<RequestStatus>('succeeded', 'failed', 'cancelled'),
  error_type: fc.constantFrom(
    'invalid_request_error',
    'upstream_rate_limited',
    'upstream_error',
    'upstream_timeout',
    'service_unavailable',
    'internal_error',
    null,
  ),
  input_tokens: fc.integer({ min: 0, max: 1_000_000 }),
  cache_read_tokens: fc.integer({ min: 0, max: 1_000 }),
  cache_write_tokens: fc.integer({ min: 0, max: 1_000 }),
  output_tokens: fc.integer({ min: 0, max: 100_000 }),
  usage_source: fc.constantFrom('upstream' as const, 'estimate' as const, null),
  latency_ms: duration,
  first_token_ms: fc.option(duration),
  charge: fc.bigInt({ min: 0n, max: 2n ** 54n }),
  created_at: fc.integer({ min: BASE_MS, max: BASE_MS + 4 * HOUR_MS }),
  /** How often the same request is posted. */
  times: fc.integer({ min: 1, max: 2 }),
})
type Drawn = typeof request extends fc.Arbitrary<infer Value> ? Value : never

/** What the sums must be, told plainly. */
function figuresOf(rows: readonly RequestRow[]): Omit<UsageFiguresRow, 'charge_micros'> & { charge: bigint } {
  const count = (fits: (row: RequestRow) => boolean) => rows.filter(fits).length
  const sum = (value: (row: RequestRow) => number | null) =>
    rows.reduce((total, row) => total + (value(row) ?? 0), 0)
  const failed = (...types: (string | null)[]) =>
    count(row => row.status === 'failed' && types.includes(row.error_type))
  const within = (value: number | null, bucket: number) =>
    value !== null &&
    value > (DURATION_BOUNDS_MS[bucket - 1] ?? -1) &&
    value <= (DURATION_BOUNDS_MS[bucket] ?? Infinity)
  const histograms = DURATION_BUCKETS.flatMap((name, bucket) => [
    [`latency_${name}`, count(row => row.status === 'succeeded' && within(row.latency_ms, bucket))],
    [`first_token_${name}`, count(row => within(row.first_token_ms, bucket))],
  ])
  return {
    requests: rows.length,
    succeeded: count(row => row.status === 'succeeded'),
    cancelled: count(row => row.status === 'cancelled'),
    failed_invalid: failed('invalid_request_error'),
    failed_throttled: failed('upstream_rate_limited'),
    failed_upstream: failed('upstream_error'),
    failed_timeout: failed('upstream_timeout'),
    failed_service: failed('service_unavailable', 'internal_error', null),
    estimated: count(row => row.usage_source === 'estimate'),
    input_tokens: sum(row => row.input_tokens),
    cache_read_tokens: sum(row => row.cache_read_tokens),
    cache_write_tokens: sum(row => row.cache_write_tokens),
    output_tokens: sum(row => row.output_tokens),
    latency_ms_sum: sum(row => (row.status === 'succeeded' ? row.latency_ms : 0)),
    first_token_ms_sum: sum(row => row.first_token_ms),
    ...Object.fromEntries(histograms),
    charge: rows.reduce((total, row) => total + row.charge_micros, 0n),
  }
}

function groupBy<Row>(rows: readonly Row[], name: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(name(row), [...(groups.get(name(row)) ?? []), row])
  return groups
}

const modelOf = (row: RequestRow) => (row.weights_json === null ? '' : (row.model ?? ''))
const hourOf = (row: RequestRow) => Math.floor(row.created_at / HOUR_MS) * HOUR_MS

describe.each(ENGINES)('roll-ups on $name', ({ open }) => {
  let opened: OpenedStorage
  let storage: Storage

  beforeAll(async () => {
    opened = await open()
    storage = opened.storage
  })
  afterAll(() => opened.close())

  async function post(drawn: Drawn, accounts: readonly string[]): Promise<RequestRow[]> {
    const { account, charge, times, ...values } = drawn
    const accountId = accounts[account] ?? ''
    const id = newId('req', drawn.created_at)
    const row = { ...requestOf(accountId, 0, id), ...values, charge_micros: micros(charge) }
    const entry = drawn.status === 'failed' ? null : entryOf('charge', -charge, id)
    const posting = { accountId, request: row, entry }
    const outcomes = await Promise.all(Array.from({ length: times }, () => storage.post(posting)))
    return outcomes.flatMap(({ kind }) => (kind === 'posted' ? [row] : []))
  }

  test('are the sums of the records, whatever is posted, however often', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 30 }), async drawn => {
        // The third account does not exist: nothing of it may be counted.
        const accounts = [await insertAccount(storage), await insertAccount(storage), newId('acc')]
        const posted = (await Promise.all(drawn.map(one => post(one, accounts)))).flat()
        const expected = groupBy(posted, row =>
          [hourOf(row), row.account_id, row.key_id, modelOf(row), row.endpoint, row.provider ?? ''].join('|'),
        )
        const kept = await storage.db
          .selectFrom('usage_hours')
          .selectAll()
          .where('account_id', 'in', accounts)
          .execute()
        expect(new Set(kept.map(nameOf))).toEqual(new Set(expected.keys()))
        for (const row of kept) expectFigures(row, expected.get(nameOf(row)) ?? [])
      }),
      { numRuns: 40 },
    )
    await expectServiceHours(storage)
  }, 60_000)

  test('take their days from those that are summed up already', async () => {
    const account = await insertAccount(storage)
    const day = BASE_MS - (BASE_MS % 86_400_000)
    const folded = (started_at: number) => ({
      query: storage.db.insertInto('folded_days').values({ started_at, state: 'folded' }),
    })
    await storage.commit([folded(day), folded(day - 86_400_000)])
    const request = { ...requestOf(account, 1), created_at: day + 5 }
    await storage.post({ accountId: account, request, entry: null })
    const left = await storage.db.selectFrom('folded_days').select('started_at').execute()
    expect(left).toEqual([{ started_at: day - 86_400_000 }])
  })
})

function nameOf(row: {
  started_at: number
  account_id: string
  key_id: string
  model: string
  endpoint: string
  provider: string
}): string {
  return [row.started_at, row.account_id, row.key_id, row.model, row.endpoint, row.provider].join('|')
}

function expectFigures(row: UsageFiguresRow, requests: readonly RequestRow[]): void {
  const { charge, ...counts } = figuresOf(requests)
  expect(row).toMatchObject(counts)
  expect(row.charge_micros).toBe(charge)
}

/** The rows over all accounts come to what those of the accounts come to. */
async function expectServiceHours({ db }: Storage): Promise<void> {
  const keys = ['started_at', 'model', 'endpoint', 'provider'] as const
  const name = (row: { started_at: number; model: string; endpoint: string; provider: string }) =>
    keys.map(key => row[key]).join('|')
  const sums = <Row extends UsageFiguresRow>(rows: readonly Row[]) => ({
    counts: COUNT_COLUMNS.map(column => rows.reduce((total, row) => total + row[column], 0)),
    charge: rows.reduce((total, row) => total + row.charge_micros, 0n),
  })
  const accounts = groupBy(await db.selectFrom('usage_hours').selectAll().execute(), name)
  const service = groupBy(await db.selectFrom('service_hours').selectAll().execute(), name)
  expect(new Set(service.keys())).toEqual(new Set(accounts.keys()))
  for (const [group, rows] of service) expect(sums(rows)).toEqual(sums(accounts.get(group) ?? []))
}
