import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { deleteOldRecords } from '#domains/usage/delete-old-records.ts'
import type { Storage } from '#storage/storage.ts'
import { ENGINES, type OpenedStorage } from './engines.ts'
import { charge, insertAccount } from './rows.ts'
import { postCourse } from './usage.fixture.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-11-21T08:20:30Z')
const clock = { now: () => NOW, monotonicMs: () => 0 }

describe.each(ENGINES)('retention of records on $name', ({ open }) => {
  let opened: OpenedStorage
  let storage: Storage
  let account: string

  beforeEach(async () => {
    opened = await open()
    storage = opened.storage
    account = await insertAccount(storage)
    await postCourse(storage, { accounts: [account], fromMs: NOW - 10 * DAY, toMs: NOW, count: 500 })
  })
  afterEach(() => opened.close())

  const settingsWith = (request_retention_days: number | null) => ({
    get: async () => ({ request_retention_days }),
  })
  const run = (days: number | null, shouldStop = () => false) =>
    deleteOldRecords({ storage, clock, settings: settingsWith(days), shouldStop, sleep: async () => {} })
  const times = async () => {
    const rows = await storage.db.selectFrom('requests').select('created_at').orderBy('id').execute()
    return rows.map(row => row.created_at)
  }
  const hoursOfUsage = () => storage.db.selectFrom('usage_hours').selectAll().orderBy('started_at').execute()
  const books = () => storage.snapshot(verifyLedger)

  test('that is not set deletes nothing', async () => {
    expect(await run(null)).toBe(0)
    expect(await times()).toHaveLength(500)
  })

  test('deletes what is older, in whole hours, and keeps sums and ledger', async () => {
    const hours = await hoursOfUsage()
    const before = await books()
    const deleted = await run(3)
    const left = await times()
    expect(deleted + left.length).toBe(500)
    expect(deleted).toBeGreaterThan(300)
    const cut = Math.floor((NOW - 3 * DAY) / HOUR) * HOUR
    expect(Math.min(...left)).toBeGreaterThanOrEqual(cut)
    expect(left.filter(at => at < cut + HOUR)).not.toEqual([])
    expect(await hoursOfUsage()).toEqual(hours)
    if (!before.ok) throw new Error(before.refusal)
    expect(await books()).toEqual({ ok: true, value: { ...before.value, requests: left.length } })
    expect(await run(3)).toBe(0)
  })

  test('that is cut short leaves books that add up, and goes on the next time', async () => {
    let units = 0
    expect(await run(1, () => ++units > 2)).toBe(200)
    expect(await books()).toMatchObject({ ok: true, value: { requests: 300 } })
    expect(await run(1)).toBeGreaterThan(200)
    expect(await books()).toMatchObject({ ok: true })
  })

  test('that is made longer again does not move the mark back', async () => {
    await run(1)
    await run(30)
    const mark = await storage.db
      .selectFrom('retention_marks')
      .select('deleted_before')
      .executeTakeFirstOrThrow()
    expect(mark.deleted_before).toBe(Math.floor((NOW - DAY) / HOUR) * HOUR)
    expect(await books()).toMatchObject({ ok: true })
  })

  test('never lets a charge be made twice: the ledger remembers it', async () => {
    const { id } = await storage.db
      .selectFrom('requests')
      .select('id')
      .where('charge_micros', '>', 0n as never)
      .orderBy('id')
      .executeTakeFirstOrThrow()
    await run(1)
    expect(await charge(storage, account, 7, id)).toEqual({ kind: 'already-posted' })
  })
})
