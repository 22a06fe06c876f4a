import { type Kysely, sql } from 'kysely'
import type { MigrationContext } from './migration-context.ts'

/**
 * Postgres looks after the foreign key of each ledger entry by itself, which takes a sixth of what a charge costs it. Here a
 * statement's entries are looked after together, with the same promise: none is of an account that does not exist, and no
 * account goes while it has one.
 */
export function entriesOfAccounts({ engine }: MigrationContext) {
  return { up: async (db: Kysely<unknown>) => (engine === 'postgres' ? guardTogether(db) : undefined) }
}

async function guardTogether(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('ledger_entries').dropConstraint('ledger_entries_account_id_fkey').execute()
  // Until the commit nobody can delete the accounts that are locked here.
  await sql`
    create function goldweight_refuse_stray_entries() returns trigger language plpgsql as $$
    begin
      perform from accounts where id in (select account_id from added) order by id for key share;
      if exists (select from added where not exists (select from accounts where id = added.account_id)) then
        raise foreign_key_violation using message = 'a ledger entry belongs to an account';
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ledger_entries_of_accounts after insert on ledger_entries referencing new table as added
    for each statement execute function goldweight_refuse_stray_entries()`.execute(db)
  await sql`
    create function goldweight_keep_accounts_of_entries() returns trigger language plpgsql as $$
    begin
      if exists (select from ledger_entries where account_id = old.id) then
        raise foreign_key_violation using message = 'an account with ledger entries stays';
      end if;
      return case when tg_op = 'DELETE' then old else new end;
    end $$`.execute(db)
  await sql`
    create trigger accounts_of_entries_stay before delete or update of id on accounts
    for each row execute function goldweight_keep_accounts_of_entries()`.execute(db)
}
