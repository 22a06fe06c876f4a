import type { AdminOrderRecord, OrderState } from '#contract/orders.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import { containsText } from '#storage/contains-text.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { OrderRow } from '#storage/sales-tables.ts'
import type { Storage } from '#storage/storage.ts'
import { toAuditedOrder } from './order-record.ts'

export type OrderFilter = {
  readonly accountId?: string | undefined
  readonly state?: OrderState | undefined
  /** The number of an order, a payment's id at its processor, or a part of an account's name or its owner's e-mail. */
  readonly search?: string | undefined
}

/** Orders of all accounts, as operators look for them. */
export type OrderSearch = {
  find(id: string): Promise<AdminOrderRecord | null>
  /** Newest first. */
  list(filter: OrderFilter, page: PageRequest): Promise<Page<AdminOrderRecord>>
}

export function createOrderSearch({ storage }: { readonly storage: Storage }): OrderSearch {
  return {
    find: async id => {
      const row = await selectOrders(storage).where('orders.id', '=', id).executeTakeFirst()
      return row ? toAdminOrderRecord(row) : null
    },
    list: async ({ accountId, state, search }, page) => {
      let query = selectOrders(storage)
      if (accountId !== undefined) query = query.where('orders.account_id', '=', accountId)
      if (state !== undefined) query = query.where('orders.state', '=', state)
      if (search) {
        query = query.where(({ or, eb }) =>
          or([
            eb('orders.id', '=', search),
            eb('orders.payment_reference', '=', search),
            containsText(['accounts.name', 'owner.email'], search),
          ]),
        )
      }
      return mapPage(await readNewest(query, page, 'orders.id'), toAdminOrderRecord)
    },
  }
}

function selectOrders({ db }: Storage) {
  return db
    .selectFrom('orders')
    .innerJoin('accounts', 'accounts.id', 'orders.account_id')
    .innerJoin('users as owner', 'owner.id', 'accounts.owner_id')
    .selectAll('orders')
    .select(['accounts.name as account_name', 'owner.email as owner_email'])
}

type FoundOrder = OrderRow & { readonly account_name: string; readonly owner_email: string }

/** An order as operators see it. */
function toAdminOrderRecord({ account_name, owner_email, ...row }: FoundOrder): AdminOrderRecord {
  return { ...toAuditedOrder(row), account: { name: account_name, owner_email } }
}
