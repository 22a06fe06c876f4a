/**
 * Fills a store with usage as years of service would leave it: requests, charges and their sums, the same for the same
 * numbers. All of it is made by the store itself, some hundred thousand rows a statement.
 */
import { type Kysely, sql } from 'kysely'
import { fillRollUps } from '#storage/migrations/0008-usage-roll-ups.ts'
import { drawnRequests } from './drawn-requests.ts'
import { makeIdleAccounts } from './idle-accounts.ts'

export type FillOptions = {
  readonly records: number
  readonly days: number
  /** The end of the last of those days, in milliseconds since the epoch. */
  readonly untilMs: number
  /** The account that has a quarter of it all, with its owner and one of its keys. */
  readonly account: { readonly id: string; readonly ownerId: string; readonly keyId: string }
  readonly progress: (text: string) => void
}

/** The accounts that send requests, among all that there are. */
const ACCOUNTS = 200
const KEYS = 6
const ACCOUNTS_IN_ALL = 10_000
const KEYS_OF_THE_IDLE = 5
const RECORDS_IN_STATEMENT = 250_000
/** More than all of it costs any account. */
const GRANT_MICROS = 1_000_000_000_000_000n

const padded = (prefix: string, account: number, number = 0) =>
  `${prefix}_${String(account).padStart(13, '0')}${String(number).padStart(13, '0')}`

/** A key of the busiest account that sent few requests. */
export const RARE_KEY_ID = padded('key', 0, KEYS - 1)

export async function fillUsage(db: Kysely<unknown>, options: FillOptions): Promise<void> {
  const { records, progress } = options
  await makeAccounts(db, options)
  await makeIdleAccounts(db, {
    from: ACCOUNTS,
    to: ACCOUNTS_IN_ALL,
    keysEach: KEYS_OF_THE_IDLE,
    createdAt: options.untilMs - options.days * 86_400_000,
  })
  for (let from = 0; from < records; from += RECORDS_IN_STATEMENT) {
    const to = Math.min(records, from + RECORDS_IN_STATEMENT)
    await drawnRequests({ ...options, from, to, accounts: ACCOUNTS, keys: KEYS }).execute(db)
    progress(`${to} requests`)
  }
  await chargeRequests(db)
  progress('charges')
  await sql`delete from usage_hours`.execute(db)
  await sql`delete from service_hours`.execute(db)
  await fillRollUps(db)
  progress('sums of hours')
  for (const table of ['bench_keys', 'bench_accounts']) await sql`drop table ${sql.table(table)}`.execute(db)
}

async function makeAccounts(db: Kysely<unknown>, { account, untilMs, days }: FillOptions): Promise<void> {
  const begunMs = untilMs - days * 86_400_000
  const people = Array.from({ length: ACCOUNTS }, (_, number) =>
    number === 0
      ? account
      : { id: padded('acc', number), ownerId: padded('usr', number), keyId: padded('key', number) },
  )
  await sql`create table bench_accounts (number integer primary key, id text not null)`.execute(db)
  await sql`create table bench_keys (account integer, number integer, id text not null, primary key (account, number))`.execute(
    db,
  )
  for (const [number, { id, ownerId, keyId }] of people.entries()) {
    await sql`insert into bench_accounts values (${number}, ${id})`.execute(db)
    if (number > 0) await makeAccount(db, { id, ownerId, number, begunMs })
    for (let key = 0; key < KEYS; key++) {
      const keyName = key === 0 ? keyId : padded('key', number, key)
      await sql`insert into bench_keys values (${number}, ${key}, ${keyName})`.execute(db)
      if (number === 0 && key === 0) continue
      await sql`insert into api_keys (id, user_id, name, hint, token_hash, created_at)
        values (${keyName}, ${ownerId}, ${`Key ${key}`}, 'gw_xxx…xxx', ${keyName}, ${begunMs})`.execute(db)
    }
  }
}

type NewAccount = {
  readonly id: string
  readonly ownerId: string
  readonly number: number
  readonly begunMs: number
}

async function makeAccount(db: Kysely<unknown>, { id, ownerId, number, begunMs }: NewAccount): Promise<void> {
  const name = `Account ${number}`
  await sql`insert into accounts (id, name, owner_id, status, allocated_micros, used_micros, last_allocation_micros,
      ledger_sequence, created_at)
    values (${id}, ${name}, ${ownerId}, 'active', ${GRANT_MICROS}, 0, ${GRANT_MICROS}, 1, ${begunMs})`.execute(
    db,
  )
  await sql`insert into users (id, account_id, email, name, password_hash, status, created_at)
    values (${ownerId}, ${id}, ${`${ownerId}@example.org`}, ${name}, 'x', 'active', ${begunMs})`.execute(db)
  await sql`insert into ledger_entries (id, account_id, sequence, kind, amount_micros, balance_after_micros, note, created_at)
    values (${padded('led', number)}, ${id}, 1, 'grant', ${GRANT_MICROS}, ${GRANT_MICROS}, '', ${begunMs})`.execute(
    db,
  )
}

/** The charge of every request that was not failed, in the order of time behind what the ledgers hold. */
async function chargeRequests(db: Kysely<unknown>): Promise<void> {
  await sql`insert into ledger_entries (id, account_id, sequence, kind, amount_micros, balance_after_micros, request_id,
      note, created_at)
    select replace(requests.id, 'req_', 'led_'), account_id,
      ledger_sequence + row_number() over charges, 'charge', -charge_micros,
      allocated_micros - used_micros - sum(charge_micros) over charges,
      requests.id, '', requests.created_at + latency_ms
    from requests join accounts on accounts.id = account_id where requests.status <> 'failed'
    window charges as (partition by account_id order by requests.id rows unbounded preceding)`.execute(db)
  await sql`update accounts set
      ledger_sequence = coalesce((select max(sequence) from ledger_entries where account_id = accounts.id), 0),
      used_micros = used_micros + coalesce(
        (select sum(charge_micros) from requests where account_id = accounts.id and requests.status <> 'failed'), 0)`.execute(
    db,
  )
}
