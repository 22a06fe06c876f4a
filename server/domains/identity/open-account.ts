import { type SqlBool, sql } from 'kysely'

/** Holds for a row of `users` whose account was not closed. */
export const OF_AN_OPEN_ACCOUNT = sql<SqlBool>`exists (
  select 1 from accounts where accounts.id = users.account_id and accounts.closed_at is null
)`
