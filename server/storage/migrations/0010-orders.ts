import { type Kysely, sql } from 'kysely'
import type { MigrationContext } from './migration-context.ts'

/** Every way from one state of an order to another; `domains/orders/README.md` says in prose what they mean. */
const MOVES = [
  ['created', 'awaiting_payment'],
  ['created', 'paid'],
  ['created', 'expired'],
  ['created', 'failed'],
  ['awaiting_payment', 'paid'],
  ['awaiting_payment', 'expired'],
  ['awaiting_payment', 'failed'],
  // Money that arrives late is money all the same.
  ['expired', 'paid'],
  ['failed', 'paid'],
  ['paid', 'refunded'],
  ['paid', 'disputed'],
  ['disputed', 'paid'],
  ['disputed', 'refunded'],
  ['refunded', 'disputed'],
] as const

/** Buying credits: orders, saved payment methods, automatic top-ups, promotional codes, credits that expire. */
export function orders({ engine }: MigrationContext) {
  return {
    up: async (db: Kysely<unknown>) => {
      await createOrders(db)
      await guardMoves(db, engine)
      await createPaymentMethods(db)
      await createPromoCodes(db)
      await createCreditLots(db)
    },
  }
}

async function createOrders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('orders')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('account_id', 'text', c => c.notNull().references('accounts.id'))
    .addColumn('user_id', 'text', c => c.references('users.id'))
    .addColumn('package_id', 'text', c => c.notNull().references('packages.id'))
    .addColumn('package_name', 'text', c => c.notNull())
    .addColumn('credits_micros', 'bigint', c => c.notNull())
    .addColumn('price_minor', 'bigint', c => c.notNull())
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('processor', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('automatic', 'integer', c => c.notNull())
    .addColumn('checkout_reference', 'text')
    .addColumn('payment_reference', 'text')
    .addColumn('payment_step_json', 'text')
    .addColumn('refunded_minor', 'bigint', c => c.notNull())
    .addColumn('taken_back_micros', 'bigint', c => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('note', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('paid_at', 'bigint')
    .addCheckConstraint('orders_sold_for_money', sql`price_minor > 0 and credits_micros > 0`)
    .addCheckConstraint(
      'orders_paid_when_credited',
      sql`(paid_at is not null) = (state in ('paid', 'refunded', 'disputed'))`,
    )
    .addCheckConstraint(
      'orders_take_back_what_was_sold',
      sql`taken_back_micros between 0 and credits_micros and refunded_minor between 0 and price_minor
          and (taken_back_micros = 0 or paid_at is not null)`,
    )
    .execute()
  await db.schema.createIndex('orders_account').on('orders').columns(['account_id', 'id']).execute()
  await db.schema.createIndex('orders_state').on('orders').columns(['state', 'id']).execute()
  // One automatic top-up of an account at a time.
  await db.schema
    .createIndex('orders_automatic_once')
    .on('orders')
    .column('account_id')
    .unique()
    .where(sql<boolean>`automatic = 1 and state in ('created', 'awaiting_payment')`)
    .execute()
  // One purchase an order, whatever is replayed.
  await db.schema
    .createIndex('ledger_entries_purchase')
    .on('ledger_entries')
    .column('order_id')
    .unique()
    .where(sql<boolean>`kind = 'purchase' and order_id is not null`)
    .execute()
}

/** The store itself refuses a move that is not in the list. */
async function guardMoves(db: Kysely<unknown>, engine: MigrationContext['engine']): Promise<void> {
  const allowed = MOVES.map(([from, to]) => `'${from}>${to}'`).join(', ')
  const isForbidden = `old.state <> new.state and old.state || '>' || new.state not in (${allowed})`
  if (engine === 'sqlite') {
    await sql
      .raw(
        `create trigger orders_moves before update of state on orders when ${isForbidden}
         begin select raise(abort, 'an order can not move to this state'); end`,
      )
      .execute(db)
    return
  }
  await sql
    .raw(
      `create function orders_refuse_move() returns trigger language plpgsql as $$
       begin raise exception 'an order can not move to this state'; end $$`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger orders_moves before update of state on orders for each row when (${isForbidden})
       execute function orders_refuse_move()`,
    )
    .execute(db)
}

async function createPaymentMethods(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payment_methods')
    .addColumn('account_id', 'text', c => c.primaryKey().references('accounts.id'))
    .addColumn('processor', 'text', c => c.notNull())
    .addColumn('customer_reference', 'text', c => c.notNull())
    .addColumn('method_reference', 'text', c => c.notNull())
    .addColumn('label', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('auto_top_ups')
    .addColumn('account_id', 'text', c => c.primaryKey().references('accounts.id'))
    .addColumn('enabled', 'integer', c => c.notNull())
    .addColumn('package_id', 'text', c => c.notNull().references('packages.id'))
    .addColumn('threshold_micros', 'bigint', c => c.notNull())
    .addColumn('monthly_ceiling_minor', 'bigint', c => c.notNull())
    .addColumn('orders_made', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('failures', 'integer', c => c.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('problem', 'text')
    .execute()
}

async function createPromoCodes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('promo_codes')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('code', 'text', c => c.notNull().unique())
    .addColumn('credits_micros', 'bigint', c => c.notNull())
    .addColumn('max_uses', 'integer')
    .addColumn('max_uses_per_account', 'integer', c => c.notNull())
    .addColumn('uses', 'integer', c => c.notNull())
    .addColumn('valid_days', 'integer')
    .addColumn('expires_at', 'bigint')
    .addColumn('enabled', 'integer', c => c.notNull())
    .addColumn('note', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addCheckConstraint(
      'promo_codes_not_overused',
      sql`credits_micros > 0 and (max_uses is null or uses <= max_uses)`,
    )
    .execute()
  await db.schema
    .createTable('promo_redemptions')
    .addColumn('promo_code_id', 'text', c => c.notNull().references('promo_codes.id'))
    .addColumn('account_id', 'text', c => c.notNull().references('accounts.id'))
    .addColumn('ordinal', 'integer', c => c.notNull())
    .addColumn('entry_id', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    // The first, second … use by an account is made once, however many attempts arrive at the same moment.
    .addPrimaryKeyConstraint('promo_redemptions_once', ['promo_code_id', 'account_id', 'ordinal'])
    .execute()
}

async function createCreditLots(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('credit_lots')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('account_id', 'text', c => c.notNull().references('accounts.id'))
    .addColumn('amount_micros', 'bigint', c => c.notNull())
    .addColumn('used_before_micros', 'bigint', c => c.notNull())
    .addColumn('usable_micros', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addColumn('expired_at', 'bigint')
    .addColumn('used_at_expiry_micros', 'bigint')
    .addColumn('expired_micros', 'bigint')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('credit_lots_account').on('credit_lots').column('account_id').execute()
  await db.schema
    .createIndex('credit_lots_due')
    .on('credit_lots')
    .column('expires_at')
    .where(sql.ref('expired_at'), 'is', null)
    .execute()
}
