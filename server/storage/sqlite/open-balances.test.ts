import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Storage } from '#storage/storage.ts'
import { charge, entryOf, insertAccount } from '#test/storage/rows.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let storage: Storage
let account: string

beforeEach(async () => {
  folder = await makeTemporaryFolder()
  storage = await openSqliteStorage(`${folder.path}/goldweight.db`)
  account = await insertAccount(storage)
})
afterEach(async () => {
  await storage.close()
  await folder.remove()
})

/** Changes the account's name if its ledger has just so many entries. */
const renameAt = (sequence: number, name: string) => ({
  query: storage.db
    .updateTable('accounts')
    .set({ name })
    .where('id', '=', account)
    .where('ledger_sequence', '=', sequence),
  expectRows: 1,
})

test('a unit between postings of one group meets the balance as those before it left it', async () => {
  const outcomes = await Promise.all([
    charge(storage, account, 5),
    storage.commit([renameAt(1, 'after one')]),
    charge(storage, account, 5),
    charge(storage, account, 5),
    storage.commit([renameAt(3, 'after three')]),
  ])
  expect(outcomes.map(({ kind }) => kind)).toEqual(['posted', 'committed', 'posted', 'posted', 'committed'])
})

test('the further rows of a posting meet its account with the posting made', async () => {
  const outcomes = await Promise.all([
    charge(storage, account, 5),
    storage.post({
      accountId: account,
      request: null,
      entry: entryOf('grant', 9n),
      also: [renameAt(2, 'after the grant')],
    }),
    charge(storage, account, 5),
  ])
  expect(outcomes).toMatchObject([{ kind: 'posted' }, { kind: 'posted' }, { balance: { sequence: 3 } }])
})

test('a change of the account beside postings is kept', async () => {
  await Promise.all([
    charge(storage, account, 5),
    storage.commit([renameAt(1, 'Renamed')]),
    charge(storage, account, 5),
  ])
  const row = await storage.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ name: 'Renamed', used_micros: 10n, ledger_sequence: 2 })
})
