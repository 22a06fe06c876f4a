import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { openSqliteForReading, openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import type { Storage } from '#storage/storage.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { charge, entryOf, insertAccount, requestOf } from './rows.ts'

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let path: string

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
  path = join(folder.path, 'goldweight.db')
  const storage = await openSqliteStorage(path)
  await keepBooks(storage)
  await storage.close()
})
afterEach(() => folder.remove())

async function verify() {
  const storage = await openSqliteForReading(path)
  try {
    return await storage.snapshot(verifyLedger)
  } finally {
    await storage.close()
  }
}

/** Changes the file behind the service's back, past its own guards. */
function tamper(...statements: string[]): void {
  const database = new DatabaseSync(path)
  database.exec(
    'drop trigger ledger_entries_no_update; drop trigger ledger_entries_no_delete; pragma foreign_keys = off',
  )
  for (const statement of statements) database.exec(statement)
  database.close()
}

test('honest books add up, and what was checked is told', async () => {
  expect(await verify()).toEqual({
    ok: true,
    value: { accounts: 2, entries: 8, charges: 6, requests: 8, allocatedMicros: 2_000n, usedMicros: 60n },
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
  ['an account that is gone', "delete from accounts where id = 'acc_2'", /does not exist/],
])('%s is found', async (_what, statement, said) => {
  tamper(statement)
  const books = await verify()
  expect(books).toMatchObject({ ok: false, refusal: expect.stringMatching(said) })
})
