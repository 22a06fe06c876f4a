import { type Kysely, sql } from 'kysely'
import type { MigrationContext } from './migration-context.ts'

/** What the foundation does for SQLite: entries of the ledger can't be changed or deleted, not even all at once. */
export function postgresLedgerGuard({ engine }: MigrationContext) {
  return { up: async (db: Kysely<unknown>) => (engine === 'postgres' ? guardLedger(db) : undefined) }
}

async function guardLedger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function goldweight_refuse_ledger_change() returns trigger language plpgsql as $$
    begin raise exception 'ledger entries are append-only'; end $$`.execute(db)
  await sql`
    create trigger ledger_entries_no_change before update or delete on ledger_entries
    for each row execute function goldweight_refuse_ledger_change()`.execute(db)
  await sql`
    create trigger ledger_entries_no_truncate before truncate on ledger_entries
    for each statement execute function goldweight_refuse_ledger_change()`.execute(db)
}
