import type { Kysely } from 'kysely'

/** Mail that waits to be sent, and the identities at other services by which people sign in. */
export function mailAndIdentities() {
  return { up }
}

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outgoing_mails')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('content_ciphertext', 'text', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('next_attempt_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('outgoing_mails_due').on('outgoing_mails').column('next_attempt_at').execute()

  await db.schema
    .createTable('external_identities')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('realm', 'text', c => c.notNull())
    .addColumn('subject_id', 'text', c => c.notNull())
    .addColumn('issuer', 'text', c => c.notNull())
    .addColumn('external_subject', 'text', c => c.notNull())
    .addColumn('email', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addUniqueConstraint('external_identities_external', ['realm', 'issuer', 'external_subject'])
    .execute()
  await db.schema
    .createIndex('external_identities_subject')
    .on('external_identities')
    .columns(['realm', 'subject_id'])
    .execute()
}
