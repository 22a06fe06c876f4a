import { type Kysely, sql } from 'kysely'

/** What sessions show of themselves, tokens that work once, and second factors. */
export function signIn() {
  return { up }
}

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('last_seen_at', 'bigint', c => c.notNull().defaultTo(0))
    .execute()
  await sql`update sessions set last_seen_at = created_at`.execute(db)
  await db.schema.alterTable('sessions').addColumn('user_agent', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('address', 'text').execute()

  for (const table of ['users', 'administrators']) {
    await db.schema.alterTable(table).addColumn('email_verified_at', 'bigint').execute()
  }

  await db.schema
    .createTable('one_time_tokens')
    .addColumn('token_hash', 'text', c => c.primaryKey())
    .addColumn('purpose', 'text', c => c.notNull())
    .addColumn('realm', 'text', c => c.notNull())
    .addColumn('subject_id', 'text', c => c.notNull())
    .addColumn('email', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createIndex('one_time_tokens_subject')
    .on('one_time_tokens')
    .columns(['realm', 'subject_id'])
    .execute()
  await db.schema.createIndex('one_time_tokens_expiry').on('one_time_tokens').column('expires_at').execute()

  await db.schema
    .createTable('two_factors')
    .addColumn('realm', 'text', c => c.notNull())
    .addColumn('subject_id', 'text', c => c.notNull())
    .addColumn('secret_ciphertext', 'text', c => c.notNull())
    .addColumn('last_step', 'bigint', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addPrimaryKeyConstraint('two_factors_key', ['realm', 'subject_id'])
    .execute()

  await db.schema
    .createTable('recovery_codes')
    .addColumn('realm', 'text', c => c.notNull())
    .addColumn('subject_id', 'text', c => c.notNull())
    .addColumn('code_hash', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('recovery_codes_key', ['realm', 'subject_id', 'code_hash'])
    .execute()
}
