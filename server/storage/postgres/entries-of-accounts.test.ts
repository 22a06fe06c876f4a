/** What guards the accounts of ledger entries keeps the promise of the foreign key whose place it took. */
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MIGRATED, makePostgresDatabase, type TestDatabase } from '#test/support/postgres-server.ts'

const ACCOUNT = `insert into public.accounts (id, name, owner_id, status, allocated_micros, used_micros,
  last_allocation_micros, ledger_sequence, created_at) values ('acc_1', '', '', 'active', 0, 0, 0, 0, 1)`
const ENTRY = `insert into public.ledger_entries (id, account_id, sequence, kind, amount_micros, balance_after_micros,
  note, created_at) values ('led_1', 'acc_1', 1, 'grant', 5, 5, '', 1)`
const REMOVAL = `delete from public.accounts where id = 'acc_1'`
const REFUSED = { code: '23503' }

let database: TestDatabase
let one: Client
let two: Client
beforeEach(async () => {
  database = await makePostgresDatabase({ template: MIGRATED })
  one = new Client({ connectionString: database.url })
  two = new Client({ connectionString: database.url })
  for (const client of [one, two]) await client.connect()
})
afterEach(async () => {
  for (const client of [one, two]) await client.end()
  await database.drop()
})

test('an account goes or gets an entry, whichever comes first, even while neither is committed', async () => {
  for (const [first, second] of [
    [ENTRY, REMOVAL],
    [REMOVAL, ENTRY],
  ] as const) {
    await one.query(ACCOUNT)
    await one.query('begin')
    await one.query(first)
    const waiting = two.query(second).catch(error => error)
    await one.query('select pg_sleep(0.1)')
    await one.query('commit')
    expect(await waiting).toMatchObject(REFUSED)
    await one.query(
      "set session_replication_role = 'replica'; delete from ledger_entries; delete from accounts",
    )
    await one.query('reset session_replication_role')
  }
})

test('it finds its tables in a session that looks for none, as the restore of a dump of data does', async () => {
  await one.query("set search_path = ''")
  await expect(one.query(ENTRY)).rejects.toMatchObject(REFUSED)
  await one.query(ACCOUNT)
  await one.query(ENTRY)
  await expect(one.query(REMOVAL)).rejects.toMatchObject(REFUSED)
})
