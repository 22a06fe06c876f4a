import { type Kysely, sql } from 'kysely'

export type IdleAccounts = {
  /** Their numbers: the first, and the one behind the last. */
  readonly from: number
  readonly to: number
  readonly keysEach: number
  readonly createdAt: number
}

/** An identifier with these digits, of the length of all others. */
const idOf = (prefix: string, digits: string, length = 26) =>
  `'${prefix}_' || substr('${'0'.repeat(length)}' || ${digits}, length(${digits}) + 1)`

/** Accounts that only stand in lists: each with its owner and keys, and never a request. */
export async function makeIdleAccounts(
  db: Kysely<unknown>,
  { from, to, keysEach, createdAt }: IdleAccounts,
): Promise<void> {
  const numbers = `with recursive numbers(i) as (select ${from} union all select i + 1 from numbers where i + 1 < ${to})`
  const digits = 'cast(i as text)'
  await sql
    .raw(`insert into accounts (id, name, owner_id, status, allocated_micros, used_micros, last_allocation_micros,
        ledger_sequence, created_at)
      ${numbers} select ${idOf('acc', digits)}, 'Company ' || i, ${idOf('usr', digits)}, 'active', 0, 0, 0, 0,
        ${createdAt} + i from numbers`)
    .execute(db)
  await sql
    .raw(`insert into users (id, account_id, email, name, password_hash, status, created_at)
      ${numbers} select ${idOf('usr', digits)}, ${idOf('acc', digits)}, 'person-' || i || '@example.org', 'Person ' || i,
        'x', 'active', ${createdAt} + i from numbers`)
    .execute(db)
  const keyDigits = `cast(i * 10 + k as text)`
  await sql
    .raw(`insert into api_keys (id, user_id, name, hint, token_hash, created_at)
      ${numbers}, turns(k) as (select 0 union all select k + 1 from turns where k + 1 < ${keysEach})
      select ${idOf('key', keyDigits)}, ${idOf('usr', digits)}, 'Key ' || k, 'gw_xxx…xxx', ${idOf('hash', keyDigits)},
        ${createdAt} + i from numbers cross join turns`)
    .execute(db)
}
