import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { MigrationContext } from './migration-context.ts'

/** People, keys, catalogue, requests and the ledger. */
export function foundation({ engine }: MigrationContext) {
  return { up: (db: Kysely<unknown>) => up(db, engine) }
}

async function up(db: Kysely<unknown>, engine: MigrationContext['engine']): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('owner_id', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('allocated_micros', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('used_micros', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('last_allocation_micros', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('ledger_sequence', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()

  await db.schema
    .createTable('users')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('account_id', 'text', c => c.notNull().references('accounts.id'))
    .addColumn('email', 'text', c => c.notNull().unique())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('password_hash', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('users_account').on('users').column('account_id').execute()

  await db.schema
    .createTable('administrators')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('email', 'text', c => c.notNull().unique())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('password_hash', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('realm', 'text', c => c.notNull())
    .addColumn('subject_id', 'text', c => c.notNull())
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('sessions_subject').on('sessions').columns(['realm', 'subject_id']).execute()
  await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()

  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('subject', 'text', c => c.primaryKey())
    .addColumn('failures', 'integer', c => c.notNull())
    .addColumn('window_started_at', 'bigint', c => c.notNull())
    .execute()

  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('user_id', 'text', c => c.notNull().references('users.id'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('hint', 'text', c => c.notNull())
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('limit_requests', 'integer')
    .addColumn('limit_window_seconds', 'integer')
    .addColumn('limit_concurrency', 'integer')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_user').on('api_keys').column('user_id').execute()

  await db.schema
    .createTable('providers')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull().unique())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('base_url', 'text', c => c.notNull())
    .addColumn('credential_ciphertext', 'text')
    .addColumn('headers_ciphertext', 'text')
    .addColumn('connect_timeout_ms', 'integer')
    .addColumn('first_byte_timeout_ms', 'integer')
    .addColumn('idle_timeout_ms', 'integer')
    .addColumn('enabled', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()

  await db.schema
    .createTable('models')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('description', 'text')
    .addColumn('owned_by', 'text', c => c.notNull())
    .addColumn('context_window', 'integer')
    .addColumn('max_output_tokens', 'integer')
    .addColumn('modalities_json', 'text', c => c.notNull())
    .addColumn('capabilities_json', 'text', c => c.notNull())
    .addColumn('endpoints_json', 'text', c => c.notNull())
    .addColumn('weights_json', 'text')
    .addColumn('enabled', 'integer', c => c.notNull())
    .addColumn('deprecated', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    // Unpriced is never free: the store itself refuses to enable a model without weights.
    .addCheckConstraint('enabled_models_have_weights', sql`enabled = 0 or weights_json is not null`)
    .execute()

  await db.schema
    .createTable('model_routes')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('model_id', 'text', c => c.notNull().references('models.id').onDelete('cascade'))
    .addColumn('provider_id', 'text', c => c.notNull().references('providers.id'))
    .addColumn('upstream_model', 'text', c => c.notNull())
    .addColumn('priority', 'integer', c => c.notNull())
    .addColumn('weight', 'integer', c => c.notNull())
    .addColumn('position', 'integer', c => c.notNull())
    .execute()
  await db.schema.createIndex('model_routes_model').on('model_routes').column('model_id').execute()
  await db.schema.createIndex('model_routes_provider').on('model_routes').column('provider_id').execute()

  await db.schema
    .createTable('packages')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('credits_micros', 'bigint', c => c.notNull())
    .addColumn('price_minor', 'bigint', c => c.notNull())
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('on_sale', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()

  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('value_json', 'text', c => c.notNull())
    .execute()

  await db.schema
    .createTable('audit_entries')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('actor_type', 'text', c => c.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('action', 'text', c => c.notNull())
    .addColumn('target_type', 'text', c => c.notNull())
    .addColumn('target_id', 'text', c => c.notNull())
    .addColumn('before_json', 'text')
    .addColumn('after_json', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()

  await db.schema
    .createTable('requests')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('account_id', 'text', c => c.notNull())
    .addColumn('key_id', 'text', c => c.notNull())
    .addColumn('model', 'text')
    .addColumn('endpoint', 'text', c => c.notNull())
    .addColumn('stream', 'integer', c => c.notNull())
    .addColumn('provider', 'text')
    .addColumn('upstream_model', 'text')
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('http_status', 'integer', c => c.notNull())
    .addColumn('input_tokens', 'bigint', c => c.notNull())
    .addColumn('cache_read_tokens', 'bigint', c => c.notNull())
    .addColumn('cache_write_tokens', 'bigint', c => c.notNull())
    .addColumn('output_tokens', 'bigint', c => c.notNull())
    .addColumn('weights_json', 'text')
    .addColumn('charge_micros', 'bigint', c => c.notNull())
    .addColumn('usage_source', 'text')
    .addColumn('latency_ms', 'integer', c => c.notNull())
    .addColumn('first_token_ms', 'integer')
    .addColumn('error_type', 'text')
    .addColumn('error_code', 'text')
    .addColumn('client_request_id', 'text')
    .addColumn('anomalous_usage_json', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .$call(table => clusterByPrimaryKey(table, engine))
    .execute()
  // Identifiers sort by time, so this index also gives an account's newest requests.
  await db.schema.createIndex('requests_account').on('requests').columns(['account_id', 'id']).execute()

  await db.schema
    .createTable('ledger_entries')
    .addColumn('id', 'text', c => c.notNull())
    .addColumn('account_id', 'text', c => c.notNull().references('accounts.id'))
    .addColumn('sequence', 'bigint', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('amount_micros', 'bigint', c => c.notNull())
    .addColumn('balance_after_micros', 'bigint', c => c.notNull())
    .addColumn('request_id', 'text')
    .addColumn('order_id', 'text')
    .addColumn('note', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    // Entries lie in the order of their account's ledger, and no place in it is taken twice.
    .addPrimaryKeyConstraint('ledger_entries_chain', ['account_id', 'sequence'])
    .$call(table => clusterByPrimaryKey(table, engine))
    .execute()
  // One charge a request, whatever is retried, replayed or restarted.
  await db.schema
    .createIndex('ledger_entries_request')
    .on('ledger_entries')
    .column('request_id')
    .unique()
    .where(sql.ref('request_id'), 'is not', null)
    .execute()

  await guardLedger(db, engine)
}

/** Rows that lie in the tree of their key: every charge writes two pages less than with a tree beside the table. */
function clusterByPrimaryKey<Table extends string, Columns extends string>(
  table: CreateTableBuilder<Table, Columns>,
  engine: MigrationContext['engine'],
): CreateTableBuilder<Table, Columns> {
  return engine === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table
}

/** Append-only is a rule of the store, not a habit of the code: entries can't be changed or deleted. */
async function guardLedger(db: Kysely<unknown>, engine: MigrationContext['engine']): Promise<void> {
  if (engine === 'sqlite') {
    for (const change of ['update', 'delete']) {
      await sql
        .raw(
          `create trigger ledger_entries_no_${change} before ${change} on ledger_entries
           begin select raise(abort, 'ledger entries are append-only'); end`,
        )
        .execute(db)
    }
  }
}
