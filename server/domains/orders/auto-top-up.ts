import { refusals, type ServiceError } from '#contract/errors.ts'
import type { AutoTopUpRecord } from '#contract/orders.ts'
import { type Clock, rfc3339 } from '#lib/clock.ts'
import { creditsFromMicros, microsFromCredits } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { AutoTopUpRow, OrderRow, PaymentMethodRow } from '#storage/sales-tables.ts'
import type { Storage } from '#storage/storage.ts'
import { findOnSale } from './place-order.ts'

export type AutoTopUpInput = {
  readonly enabled: boolean
  readonly package_id: string
  readonly threshold: number
  readonly monthly_ceiling: number
}

/** What an account's owner decided about automatic top-ups. The buying itself is in `top-up-buyer.ts`. */
export type AutoTopUps = {
  get(accountId: string): Promise<AutoTopUpRecord>
  /** 400 a package that is not sold or a ceiling below its price, 409 no saved payment method. */
  put(accountId: string, input: AutoTopUpInput): Promise<Outcome<AutoTopUpRecord, ServiceError>>
  /** Forgets the saved payment method and ends automatic top-ups with it. */
  forgetMethod(accountId: string): Promise<void>
}

export type AutoTopUpsParts = { readonly storage: Storage; readonly clock: Clock }

export function createAutoTopUps({ storage, clock }: AutoTopUpsParts): AutoTopUps {
  async function get(accountId: string): Promise<AutoTopUpRecord> {
    const [row, method, spent] = await Promise.all([
      findRow(storage, accountId),
      findMethod(storage, accountId),
      sumSpent(storage, accountId, clock.now()),
    ])
    return toRecord(row, method, spent)
  }

  return {
    get,
    put: async (accountId, { enabled, package_id, threshold, monthly_ceiling }) => {
      const thresholdMicros = microsFromCredits(threshold)
      if (thresholdMicros === null)
        return refused(refusals.invalid('threshold: must have at most six decimals'))
      const sold = await findOnSale(storage, package_id)
      if (!sold) return refused(refusals.invalid('package_id: no such package is on sale'))
      if (monthly_ceiling < sold.price_minor) {
        return refused(
          refusals.invalid(`monthly_ceiling: is below the price of the package (${sold.price_minor})`),
        )
      }
      if (enabled && !(await findMethod(storage, accountId))) {
        return refused(refusals.conflict('Save a payment method with a purchase first'))
      }
      const columns: Omit<AutoTopUpRow, 'account_id' | 'orders_made'> = {
        enabled: enabled ? 1 : 0,
        package_id,
        threshold_micros: thresholdMicros,
        monthly_ceiling_minor: monthly_ceiling,
        // Whoever changes something wants it tried anew.
        failures: 0,
        next_attempt_at: null,
        problem: null,
      }
      await storage.commit([
        {
          query: storage.db
            .insertInto('auto_top_ups')
            .values({ account_id: accountId, orders_made: 0, ...columns })
            .onConflict(conflict => conflict.column('account_id').doUpdateSet(columns)),
        },
      ])
      return accepted(await get(accountId))
    },
    forgetMethod: async accountId => {
      await storage.commit([
        {
          query: storage.db
            .updateTable('auto_top_ups')
            .set({ enabled: 0 })
            .where('account_id', '=', accountId),
        },
        { query: storage.db.deleteFrom('payment_methods').where('account_id', '=', accountId) },
      ])
    },
  }
}

async function findRow({ db }: Storage, accountId: string): Promise<AutoTopUpRow | undefined> {
  return await db
    .selectFrom('auto_top_ups')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

export async function findMethod({ db }: Storage, accountId: string): Promise<PaymentMethodRow | undefined> {
  return await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

const COUNTED = ['created', 'awaiting_payment', 'paid', 'disputed', 'refunded'] satisfies OrderRow['state'][]

/** What automatic top-ups have cost, or may yet cost, in the calendar month (UTC) of `now`; in the minor unit. */
export async function sumSpent({ db }: Storage, accountId: string, now: number): Promise<number> {
  const date = new Date(now)
  const monthStart = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  const orders = await db
    .selectFrom('orders')
    .select('price_minor')
    .where('account_id', '=', accountId)
    .where('automatic', '=', 1)
    .where('created_at', '>=', monthStart)
    .where('state', 'in', COUNTED)
    .execute()
  return orders.reduce((sum, order) => sum + order.price_minor, 0)
}

function toRecord(
  row: AutoTopUpRow | undefined,
  method: PaymentMethodRow | undefined,
  spent: number,
): AutoTopUpRecord {
  return {
    object: 'auto_top_up',
    enabled: row?.enabled === 1,
    package_id: row?.package_id ?? null,
    threshold: row ? creditsFromMicros(row.threshold_micros) : 0,
    monthly_ceiling: row?.monthly_ceiling_minor ?? 0,
    spent_this_month: spent,
    payment_method: method?.label ?? null,
    next_attempt_at: row?.next_attempt_at ? rfc3339(row.next_attempt_at) : null,
    problem: row?.problem ?? null,
  }
}
