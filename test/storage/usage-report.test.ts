import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UsageFigures, UsageRow } from '#contract/usage-report.ts'
import { adminUsageQuery } from '#contract/usage-report.ts'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { foldDays } from '#domains/usage/fold-days.ts'
import { createUsage } from '#domains/usage/usage.ts'
import { bucketOf, DURATION_BOUNDS_MS } from '#storage/roll-ups/duration-buckets.ts'
import type { Storage } from '#storage/storage.ts'
import type { RequestRow } from '#storage/tables.ts'
import { ENGINES, type OpenedStorage } from './engines.ts'
import { insertAccount } from './rows.ts'
import { figuresOf, postCourse } from './usage.fixture.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-11-21T08:20:30Z')
const FROM = Date.parse('2026-11-17T00:00:00Z')
const clock = { now: () => NOW, monotonicMs: () => 0 }

const GROUPS = {
  model: (row: RequestRow) => (row.weights_json === null ? null : row.model),
  key: (row: RequestRow) => row.key_id,
  account: (row: RequestRow) => row.account_id,
  provider: (row: RequestRow) => row.provider,
  endpoint: (row: RequestRow) => row.endpoint,
} as const
const FIELD = {
  model: 'model',
  key: 'key_id',
  account: 'account_id',
  provider: 'provider',
  endpoint: 'endpoint',
} as const

describe.each(ENGINES)('a usage report on $name', ({ open }) => {
  let opened: OpenedStorage
  let storage: Storage
  let accounts: string[]
  let records: RequestRow[]

  beforeAll(async () => {
    opened = await open()
    storage = opened.storage
    accounts = [await insertAccount(storage), await insertAccount(storage)]
    records = await postCourse(storage, { accounts, fromMs: FROM, toMs: NOW, count: 1_500 })
  })
  afterAll(() => opened.close())

  async function ask(query: Record<string, unknown>) {
    const answer = await createUsage({ storage, clock }).report(adminUsageQuery.parse(query))
    if (!answer.ok) throw new Error(answer.refusal.message)
    const { rows, ...report } = answer.value
    const data: UsageRow[] = []
    for await (const batch of rows) data.push(...batch)
    return { ...report, data }
  }

  const of = (fits: (row: RequestRow) => boolean) => records.filter(fits)
  const span = { from: '2026-11-17', to: '2026-11-22' }

  function expectRows(
    data: readonly UsageRow[],
    length: number,
    rows: readonly RequestRow[],
    offset = 0,
  ): void {
    const starts = [...new Set(rows.map(row => row.created_at - ((row.created_at + offset) % length)))].sort()
    expect(data.map(row => Date.parse(row.from))).toEqual(starts)
    for (const row of data) {
      const from = Date.parse(row.from)
      expect(Date.parse(row.to)).toBe(from + length)
      const within = rows.filter(({ created_at: at }) => at >= from && at < from + length)
      expect(row).toMatchObject(figuresOf(within))
    }
  }

  describe.each([
    ['read from hours', false],
    ['read from days that are folded', true],
  ])('%s', (_how, fold) => {
    beforeAll(async () => {
      if (fold) expect(await foldDays({ storage, clock, sleep: async () => {} })).toBe(4)
    })

    test('holds the sums of all records, by day', async () => {
      const report = await ask(span)
      expect(report).toMatchObject({ bucket: 'day', group_by: null, groups: [], totals: figuresOf(records) })
      expectRows(report.data, DAY, records)
    })

    test('of one account holds nothing of the other', async () => {
      const [account] = accounts
      const report = await ask({ ...span, account_id: account })
      const own = of(row => row.account_id === account)
      expect(report.totals).toMatchObject(figuresOf(own))
      expectRows(report.data, DAY, own)
    })

    test('by hour holds the sums of each hour', async () => {
      expectRows((await ask({ ...span, bucket: 'hour' })).data, HOUR, records)
    })

    test('of days elsewhere holds what was used while they lasted', async () => {
      expectRows((await ask({ ...span, from: '2026-11-16', tz: '+05:00' })).data, DAY, records, 5 * HOUR)
      expectRows((await ask({ ...span, from: '2026-11-16', tz: '-09:00' })).data, DAY, records, -9 * HOUR)
    })

    test('that is narrowed down holds what fits alone', async () => {
      const [account] = accounts
      const key = `key_${account}_0`
      expect((await ask({ ...span, key_id: key })).totals).toMatchObject(
        figuresOf(of(row => row.key_id === key)),
      )
      const byModel = await ask({ ...span, model: 'model-1' })
      expect(byModel.totals).toMatchObject(figuresOf(of(row => GROUPS.model(row) === 'model-1')))
      const both = await ask({ ...span, provider: 'provider 1', endpoint: 'chat', account_id: account })
      expect(both.totals).toMatchObject(
        figuresOf(of(row => row.provider === 'provider 1' && row.account_id === account)),
      )
      expect((await ask({ ...span, endpoint: 'embeddings' })).totals.requests).toBe(0)
    })

    test.each(['model', 'key', 'account', 'provider', 'endpoint'] as const)(
      'is grouped by %s',
      async groupBy => {
        const report = await ask({ ...span, group_by: groupBy })
        const groupOf = (row: (typeof report.groups)[number]) => row[FIELD[groupBy]]
        expect(new Set(report.groups.map(groupOf))).toEqual(new Set(records.map(GROUPS[groupBy])))
        for (const group of report.groups) {
          expect(group).toMatchObject(figuresOf(of(row => GROUPS[groupBy](row) === groupOf(group))))
          expectRows(
            report.data.filter(row => groupOf(row) === groupOf(group)),
            DAY,
            of(row => GROUPS[groupBy](row) === groupOf(group)),
          )
        }
        const credits = report.groups.map(group => group.credits)
        expect(credits).toEqual([...credits].sort((a, b) => b - a))
      },
    )

    test('puts all but the most expensive groups in rows of their own together', async () => {
      const report = await ask({ ...span, group_by: 'model', top: 1 })
      const first = report.groups[0]?.model ?? null
      expect(report.groups).toHaveLength(4)
      expectRows(
        report.data.filter(row => row.others === undefined),
        DAY,
        of(row => GROUPS.model(row) === first),
      )
      expectRows(
        report.data.filter(row => row.others === true),
        DAY,
        of(row => GROUPS.model(row) !== first),
      )
    })
  })

  test('says how long requests took, from buckets', async () => {
    const { latency_ms, time_to_first_token_ms } = (await ask(span)).totals
    const latencies = of(row => row.status === 'succeeded').map(row => row.latency_ms)
    const firstTokens = records.flatMap(row => row.first_token_ms ?? [])
    expectDurations(latency_ms, latencies)
    expectDurations(time_to_first_token_ms, firstTokens)
  })

  test('of a span without requests is empty, not missing', async () => {
    const report = await ask({ from: '2026-01-01', to: '2026-01-03', group_by: 'model' })
    expect(report).toMatchObject({
      groups: [],
      data: [],
      totals: { requests: 0, credits: 0, latency_ms: null },
    })
  })

  test('counts a record that came late, and the day is folded anew', async () => {
    const [account = ''] = accounts
    const late = await postCourse(storage, {
      accounts: [account],
      fromMs: FROM + HOUR,
      toMs: FROM + 2 * HOUR,
      count: 5,
    })
    records = [...records, ...late]
    expect((await ask(span)).totals).toMatchObject(figuresOf(records))
    expect(await foldDays({ storage, clock, sleep: async () => {} })).toBe(1)
    expect((await ask(span)).totals).toMatchObject(figuresOf(records))
    expect(await storage.snapshot(verifyLedger)).toMatchObject({ ok: true })
  })

  test('a day that gets a record while it is being folded is not taken for folded', async () => {
    const [account = ''] = accounts
    await storage.commit([{ query: storage.db.deleteFrom('folded_days') }])
    let came = false
    const comeLate = async () => {
      if (came) return
      came = true
      const course = { accounts: [account], fromMs: FROM, toMs: FROM + HOUR, count: 1 }
      records = [...records, ...(await postCourse(storage, course))]
    }
    const folded = await foldDays({ storage, clock, sleep: async ms => (ms < 100 ? comeLate() : undefined) })
    expect(folded).toBeGreaterThan(0)
    expect((await ask(span)).totals).toMatchObject(figuresOf(records))
    expect(await storage.snapshot(verifyLedger)).toMatchObject({ ok: true })
  })
})

function expectDurations(shown: UsageFigures['latency_ms'], durations: readonly number[]): void {
  const sorted = [...durations].sort((a, b) => a - b)
  const exact = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
  const average = durations.reduce((sum, duration) => sum + duration, 0) / durations.length
  expect(shown?.average).toBe(Math.round(average))
  for (const [found = -1, share] of [
    [shown?.p50, 0.5],
    [shown?.p95, 0.95],
  ] as const) {
    const bucket = bucketOf(exact(share))
    expect(found).toBeGreaterThanOrEqual(DURATION_BOUNDS_MS[bucket - 1] ?? 0)
    expect(found).toBeLessThanOrEqual(DURATION_BOUNDS_MS[bucket] ?? Infinity)
  }
}
