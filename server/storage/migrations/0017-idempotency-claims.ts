import type { Kysely } from 'kysely'

/** Requests that their callers gave keys, so that each is made only once. */
export function idempotencyClaims() {
  return { up }
}

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_claims')
    .addColumn('account_id', 'text', c => c.notNull().references('accounts.id'))
    .addColumn('key_hash', 'text', c => c.notNull())
    .addColumn('request_id', 'text', c => c.notNull().unique())
    .addColumn('fingerprint', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('lapses_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addColumn('answer_ciphertext', 'text')
    // Two accounts may choose the same key.
    .addPrimaryKeyConstraint('idempotency_claims_key', ['account_id', 'key_hash'])
    .execute()
  await db.schema
    .createIndex('idempotency_claims_expiry')
    .on('idempotency_claims')
    .column('expires_at')
    .execute()
}
