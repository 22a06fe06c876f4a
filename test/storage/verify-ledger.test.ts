import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { newId } from '#lib/id.ts'
import type { Storage } from '#storage/storage.ts'
import { type Stores, storesOf } from '#test/support/stores.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { charge, entryOf, insertAccount, requestOf } from './rows.ts'

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let stores: Stores

async function keepBooks(storage: Storage): Promise<void> {
  for (const account of ['acc_1', 'acc_2']) {
    await insertAccount(storage, account)
    await storage.post({ accountId: account, request: null, entry: entryOf('grant', 1_000n) })
    for (const tokens of [10, 20, 0]) await charge(storage, account, tokens, `req_${account}_${tokens}`)
    const failed = { ...requestOf(account, 0, `req_${account}_failed`), status: 'failed' as const }
    await storage.post({ accountId: account, request: failed, entry: null })
  }
}

beforeEach(async () => {
  folder = await makeTemporaryFolder()
  stores = await storesOf(folder.path)
  const storage = await stores.open()
  await keepBooks(storage)
  await storage.close()
})
afterEach(() => folder.remove())

async function verify() {
  const storage = await stores.openForReading()
  try {
    return await storage.snapshot(verifyLedger)
  } finally {
    await storage.close()
  }
}

test('honest books add up, and what was checked is told', async () => {
  expect(await verify()).toEqual({
    ok: true,
    value: {
      accounts: 2,
      entries: 8,
      charges: 6,
      requests: 8,
      orders: 0,
      allocatedMicros: 2_000n,
      usedMicros: 60n,
    },
  })
})

test.each([
  [
    'a balance that was raised',
    "update accounts set allocated_micros = allocated_micros + 1 where id = 'acc_1'",
    /allocated/,
  ],
  ['a use that was lowered', "update accounts set used_micros = 0 where id = 'acc_2'", /used/],
  [
    'units that nobody was charged for',
    `update requests set unit_json = '{"name":"image","count":1,"weight":"0.04"}' where id = 'req_acc_1_10'`,
    /counts and weights/,
  ],
  [
    'an entry that is missing',
    "delete from ledger_entries where account_id = 'acc_1' and sequence = 2",
    /sequence/,
  ],
  [
    'the newest entry missing',
    "delete from ledger_entries where account_id = 'acc_1' and sequence = 4",
    /sequence|charge/,
  ],
  [
    'an amount that was changed',
    "update ledger_entries set amount_micros = -9 where request_id = 'req_acc_1_10'",
    /balance_after/,
  ],
  [
    'a balance_after that was changed',
    'update ledger_entries set balance_after_micros = 5 where sequence = 1',
    /balance_after/,
  ],
  ['a request that is gone', "delete from requests where id = 'req_acc_2_20'", /not on record/],
  [
    'counts that were changed',
    "update requests set output_tokens = 1 where id = 'req_acc_2_20'",
    /counts and weights/,
  ],
  [
    'longer lives in a cache than were written',
    "update requests set cache_write_1h_tokens = 1 where id = 'req_acc_2_20'",
    /live longer/,
  ],
  [
    'a tier that would have weighed more',
    `update requests set weights_json = '{"input":"1","cache_read":"1","cache_write":"1","output":"1","tiers":[{"above_input_tokens":1,"input":"2","cache_read":"1","cache_write":"1","output":"1"}]}' where id = 'req_acc_1_10'`,
    /counts and weights/,
  ],
  [
    'a charge of another size than its request',
    "update requests set charge_micros = 11 where id = 'req_acc_1_10'",
    /says 11/,
  ],
  [
    'a success that was never charged',
    "update requests set status = 'succeeded' where id = 'req_acc_1_failed'",
    /no charge/,
  ],
  ['a failure that was charged', "update requests set status = 'failed' where id = 'req_acc_1_10'", /failed/],
  [
    'a charge of another account',
    "update requests set account_id = 'acc_2' where id = 'req_acc_1_10'",
    /another account/,
  ],
  [
    'a roll-up that counts too much',
    "update usage_hours set requests = requests + 1 where account_id = 'acc_1'",
    /not the sum of its records/,
  ],
  [
    'a roll-up with another amount',
    "update usage_hours set charge_micros = charge_micros - 1 where account_id = 'acc_1'",
    /hours of usage/,
  ],
  [
    'a roll-up of a key that sent nothing',
    "update usage_hours set key_id = 'key_2' where account_id = 'acc_1'",
    /not the sum of its records/,
  ],
  ['a roll-up of an hour without records', 'update usage_hours set started_at = 3600000', /not the sum/],
  [
    'a roll-up over all accounts that misses one',
    'update service_hours set output_tokens = output_tokens + 1',
    /over all accounts/,
  ],
  ['a day that was never summed up', "insert into folded_days values (0, 'folded')", /of the day/],
  ['an account that is gone', "delete from accounts where id = 'acc_2'", /does not exist/],
])('%s is found', async (_what, statement, said) => {
  await stores.tamper(statement)
  const books = await verify()
  expect(books).toMatchObject({ ok: false, refusal: expect.stringMatching(said) })
})

describe('of records that retention deleted', () => {
  const MADE_AT = 1_795_046_400_000
  const HOUR = 3_600_000
  const mark = (at: number) => `insert into retention_marks values ('requests', ${at})`
  const deletion = 'delete from requests where created_at > 3 and created_at < '

  beforeEach(async () => {
    const storage = await stores.open()
    for (const created_at of [MADE_AT, MADE_AT + HOUR, MADE_AT + 2 * HOUR]) {
      const request = { ...requestOf('acc_1', 5, newId('req', created_at)), created_at }
      await storage.post({ accountId: 'acc_1', request, entry: entryOf('charge', -5n, request.id) })
    }
    await storage.close()
  })

  test('the charges are believed, and all else still adds up', async () => {
    await stores.tamper(mark(MADE_AT + HOUR), deletion + (MADE_AT + HOUR))
    expect(await verify()).toMatchObject({ ok: true, value: { charges: 9, requests: 10, usedMicros: 75n } })
  })

  test('one that was deleted half-way breaks nothing', async () => {
    await stores.tamper(mark(MADE_AT + 2 * HOUR), deletion + (MADE_AT + HOUR))
    expect(await verify()).toMatchObject({ ok: true, value: { requests: 10 } })
  })

  test('one that is younger than the mark is found missing', async () => {
    await stores.tamper(mark(MADE_AT + HOUR), deletion + (MADE_AT + 2 * HOUR))
    expect(await verify()).toMatchObject({ ok: false, refusal: expect.stringMatching(/not on record/) })
  })

  test('what an account used still follows from its hours', async () => {
    await stores.tamper(
      mark(MADE_AT + HOUR),
      deletion + (MADE_AT + HOUR),
      `update usage_hours set charge_micros = 0 where started_at = ${MADE_AT}`,
    )
    expect(await verify()).toMatchObject({ ok: false, refusal: expect.stringMatching(/hours of usage/) })
  })
})
