import { refusals, type ServiceError } from '#contract/errors.ts'
import type { ProcessorName } from '#contract/orders.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { ZERO_MICROS } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { OrderRow } from '#storage/sales-tables.ts'
import type { Storage } from '#storage/storage.ts'
import type { PackageRow } from '#storage/tables.ts'
import {
  type PaymentProcessor,
  PaymentProcessorFailed,
  type PaymentProcessors,
  type ReturnUrls,
} from './payment-processor.ts'
import { findOrder } from './settle-order.ts'

/** More unpaid orders than this at a time are no buyer's. */
const MOST_UNPAID = 20

export type OrderRequest = {
  readonly accountId: string
  readonly user: { readonly id: string; readonly email: string }
  readonly packageId: string
  readonly processor: ProcessorName | undefined
  readonly saveMethod: boolean
  /** Where the buyer's browser comes back to, made from the order's id. */
  readonly returnUrls: (orderId: string) => ReturnUrls
}

export type PlaceOrderParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly processors: PaymentProcessors
}

/**
 * Puts an order on record and opens its payment. 404 no such package on sale, 409 no way to pay is set up (or not the
 * one that was asked for), 429 too many unpaid orders, 503 the processor does not answer.
 */
export async function placeOrder(
  parts: PlaceOrderParts,
  request: OrderRequest,
): Promise<Outcome<OrderRow, ServiceError>> {
  const { storage, clock } = parts
  const sold = await findOnSale(storage, request.packageId)
  if (!sold) return refused(refusals.notFound('No such package is on sale'))
  const processor = await chooseProcessor(parts.processors, request.processor)
  if (!processor) return refused(refusals.conflict('Buying is not set up this way; ask the operator'))
  if (request.saveMethod && !processor.chargeSaved) {
    return refused(refusals.invalid(`save_payment_method: ${processor.name} can not keep one`))
  }
  if ((await countUnpaid(storage, request.accountId)) >= MOST_UNPAID) {
    return refused(refusals.rateLimited(3600))
  }
  const order = newOrder(sold, {
    accountId: request.accountId,
    userId: request.user.id,
    processor: processor.name,
    now: clock.now(),
  })
  await putOnRecord(storage, order)
  return openPayment(storage, processor, order, request)
}

export type NewOrderOptions = {
  readonly accountId: string
  readonly userId: string | null
  readonly processor: ProcessorName
  readonly now: number
}

/** An order for a package as it is on sale now. Without a user it is an automatic one. */
export function newOrder(sold: PackageRow, { accountId, userId, processor, now }: NewOrderOptions): OrderRow {
  return {
    id: newId('ord', now),
    account_id: accountId,
    user_id: userId,
    package_id: sold.id,
    package_name: sold.name,
    credits_micros: sold.credits_micros,
    price_minor: sold.price_minor,
    currency: sold.currency,
    processor,
    state: 'created',
    automatic: userId === null ? 1 : 0,
    checkout_reference: null,
    payment_reference: null,
    payment_step_json: null,
    refunded_minor: 0,
    taken_back_micros: ZERO_MICROS,
    problem: null,
    note: '',
    created_at: now,
    expires_at: null,
    paid_at: null,
  }
}

/** A package that can be bought: on sale, and for money; what costs nothing is a grant. */
export async function findOnSale({ db }: Storage, id: string): Promise<PackageRow | undefined> {
  return await db
    .selectFrom('packages')
    .selectAll()
    .where('id', '=', id)
    .where('on_sale', '=', 1)
    .where('price_minor', '>', 0)
    .where('credits_micros', '>', ZERO_MICROS)
    .executeTakeFirst()
}

async function chooseProcessor(
  processors: PaymentProcessors,
  name: ProcessorName | undefined,
): Promise<PaymentProcessor | null> {
  for (const processor of processors.values()) {
    if ((name === undefined || processor.name === name) && (await processor.isOffered())) return processor
  }
  return null
}

async function countUnpaid({ db }: Storage, accountId: string): Promise<number> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', 'in', ['created', 'awaiting_payment'])
    .limit(MOST_UNPAID)
    .execute()
  return rows.length
}

async function putOnRecord(storage: Storage, order: OrderRow): Promise<void> {
  const outcome = await storage.commit([
    { query: storage.db.insertInto('orders').values(order), expectRows: 1 },
  ])
  if (outcome.kind !== 'committed') throw new Error(`A new order could not be stored: ${outcome.kind}`)
}

async function openPayment(
  storage: Storage,
  processor: PaymentProcessor,
  order: OrderRow,
  { user, saveMethod, returnUrls }: OrderRequest,
): Promise<Outcome<OrderRow, ServiceError>> {
  try {
    const options = { returnUrls: returnUrls(order.id), saveMethod, buyerEmail: user.email }
    const opened = await processor.open(order, options)
    await move(storage, order, {
      state: 'awaiting_payment',
      payment_step_json: JSON.stringify(opened.step),
      checkout_reference: opened.checkoutReference,
      expires_at: opened.expiresAt,
    })
  } catch (error) {
    if (!(error instanceof PaymentProcessorFailed)) throw error
    await move(storage, order, { state: 'failed', problem: 'The payment could not be opened' })
    return refused(refusals.unavailable('The payment processor does not answer; try again shortly', 10))
  }
  // A fast payer's payment may have been settled meanwhile: the order is shown as it is now.
  return accepted((await findOrder(storage, order.id)) ?? order)
}

/** Moves a new order on, unless its payment has moved it already. */
async function move(storage: Storage, { id }: OrderRow, columns: Partial<OrderRow>): Promise<void> {
  await storage.commit([
    {
      query: storage.db
        .updateTable('orders')
        .set(columns)
        .where('id', '=', id)
        .where('state', '=', 'created'),
    },
  ])
}
