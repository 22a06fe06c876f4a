import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteOldRecords } from '#domains/usage/delete-old-records.ts'
import { foldDays } from '#domains/usage/fold-days.ts'
import { createRequestRecords, type RequestSearch } from '#domains/usage/request-records.ts'
import type { Storage } from '#storage/storage.ts'
import type { RequestRow } from '#storage/tables.ts'
import { ENGINES, type OpenedStorage } from './engines.ts'
import { insertAccount } from './rows.ts'
import { postCourse } from './usage.fixture.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-11-21T08:20:30Z')
const clock = { now: () => NOW, monotonicMs: () => 0 }
const sleep = async () => {}

describe.each(ENGINES)('lists of requests on $name', ({ open }) => {
  let opened: OpenedStorage
  let storage: Storage
  let accounts: string[]
  /** Newest first. */
  let records: RequestRow[]

  beforeAll(async () => {
    opened = await open()
    storage = opened.storage
    accounts = [await insertAccount(storage), await insertAccount(storage)]
    const spans = [
      { fromMs: NOW - 200 * DAY, toMs: NOW - 199 * DAY, count: 60 },
      { fromMs: NOW - 30 * DAY, toMs: NOW - 20 * DAY, count: 150, models: 5 },
      { fromMs: NOW - 2 * DAY, toMs: NOW, count: 300 },
    ]
    const posted = []
    for (const span of spans) posted.push(...(await postCourse(storage, { accounts, ...span })))
    records = posted.sort((a, b) => (a.id < b.id ? 1 : -1))
  })
  afterAll(() => opened.close())

  /** All pages of a list, one after the other. */
  async function listAll(search: RequestSearch, limit = 100): Promise<string[]> {
    const { list } = createRequestRecords({ storage })
    const ids: string[] = []
    for (let after: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(search, { limit, after })
      expect(page.items.length).toBeLessThanOrEqual(limit)
      ids.push(...page.items.map(item => item.id))
      if (page.next === null) return ids
      after = page.next
    }
  }
  const idsOf = (fits: (row: RequestRow) => boolean) => records.filter(fits).map(row => row.id)
  const at = (ms: number) => new Date(ms).toISOString()

  describe.each([
    ['with all days in hours', false],
    ['with days that are folded', true],
  ])('%s', (_how, fold) => {
    beforeAll(async () => {
      if (fold) expect(await foldDays({ storage, clock, sleep })).toBeGreaterThan(10)
    })

    test('hold everything, newest first', async () => {
      expect(await listAll({})).toEqual(idsOf(() => true))
    })

    test.each(['succeeded', 'failed', 'cancelled'] as const)('hold those that %s', async status => {
      expect(await listAll({ status }, 7)).toEqual(idsOf(row => row.status === status))
    })

    test('hold those of an account, a key, a model, a provider', async () => {
      const [account = ''] = accounts
      const key = `key_${account}_0`
      expect(await listAll({ accountId: account }, 11)).toEqual(idsOf(row => row.account_id === account))
      expect(await listAll({ keyId: key })).toEqual(idsOf(row => row.key_id === key))
      // Names that are no model of ours are found all the same.
      expect(await listAll({ model: 'model-1' }, 3)).toEqual(idsOf(row => row.model === 'model-1'))
      expect(await listAll({ model: 'model-4' }, 3)).toEqual(idsOf(row => row.model === 'model-4'))
      expect(await listAll({ provider: 'provider 1' })).toEqual(idsOf(row => row.provider === 'provider 1'))
      const both = { accountId: account, keyId: key, model: 'model-2', status: 'failed' as const }
      expect(await listAll(both, 1)).toEqual(
        idsOf(row => row.key_id === key && row.model === 'model-2' && row.status === 'failed'),
      )
    })

    test('hold those of a span of time, to the millisecond', async () => {
      const [newer, older] = [records[40]?.created_at ?? 0, records[320]?.created_at ?? 0]
      const span = { from: at(older), to: at(newer) }
      const within = (row: RequestRow) => row.created_at >= older && row.created_at < newer
      expect(await listAll(span)).toEqual(idsOf(within))
      expect(await listAll({ ...span, status: 'failed' }, 9)).toEqual(
        idsOf(row => within(row) && row.status === 'failed'),
      )
      expect(await listAll({ from: at(NOW + HOUR), status: 'failed' })).toEqual([])
      expect(await listAll({ to: '1999-01-01', status: 'failed' })).toEqual([])
    })

    test('hold nothing where nothing fits', async () => {
      expect(await listAll({ keyId: 'key_none' })).toEqual([])
      expect(await listAll({ accountId: 'acc_none', status: 'failed' })).toEqual([])
      expect(await listAll({ model: 'none' })).toEqual([])
    })
  })

  test('hand over all rows a few at a time', async () => {
    const ids: string[] = []
    for await (const rows of createRequestRecords({ storage }).readAll({ status: 'succeeded' })) {
      expect(rows.length).toBeLessThanOrEqual(200)
      ids.push(...rows.map(row => row.id))
    }
    expect(ids).toEqual(idsOf(row => row.status === 'succeeded'))
  })

  test('find one request by its id, for its own account alone', async () => {
    const [one] = records
    const requests = createRequestRecords({ storage })
    expect(await listAll({ id: one?.id })).toEqual([one?.id])
    expect(await requests.get(one?.id ?? '', one?.account_id)).toMatchObject({
      ok: true,
      value: { id: one?.id },
    })
    const other = accounts.find(account => account !== one?.account_id)
    expect(await requests.get(one?.id ?? '', other)).toMatchObject({ ok: false, refusal: { status: 404 } })
  })

  test('a receipt can be checked by hand', async () => {
    const charged = records.find(row => row.charge_micros > 0n && row.cache_read_tokens > 0)
    const outcome = await createRequestRecords({ storage }).get(charged?.id ?? '')
    if (!outcome.ok || !charged) throw new Error('There should be one')
    const micros = (count: number) => (count / 1_000_000).toFixed(6).replace(/\.?0+$/, '')
    const line = (item: string, count: number) => ({
      item,
      count,
      weight: '1',
      per: 1_000_000,
      credits: micros(count),
    })
    expect(outcome.value.receipt).toMatchObject({
      lines: [
        line('input', charged.input_tokens),
        line('cache_read', charged.cache_read_tokens),
        line('cache_write', 0),
        line('output', charged.output_tokens),
      ],
      sum: micros(Number(charged.charge_micros)),
      charged: micros(Number(charged.charge_micros)),
      usage_source: charged.usage_source,
    })
  })

  test('what was not charged has no receipt', async () => {
    const failed = records.find(row => row.status === 'failed')
    expect(await createRequestRecords({ storage }).get(failed?.id ?? '')).toMatchObject({
      ok: true,
      value: { receipt: null },
    })
  })

  test('hold what retention has left', async () => {
    const settings = { get: async () => ({ request_retention_days: 25 }) }
    await deleteOldRecords({ storage, clock, settings, sleep })
    const cut = Math.floor((NOW - 25 * DAY) / HOUR) * HOUR
    expect(await listAll({ status: 'failed' }, 20)).toEqual(
      idsOf(row => row.status === 'failed' && row.created_at >= cut),
    )
  })
})
