import { z } from 'zod'
import { credits, page, pageQuery, searchText, timestamp } from './primitives.ts'

export const orderState = z.enum([
  'created',
  'awaiting_payment',
  'paid',
  'refunded',
  'disputed',
  'expired',
  'failed',
])
export type OrderState = z.infer<typeof orderState>

export const processorName = z.enum(['stripe', 'invoice'])
export type ProcessorName = z.infer<typeof processorName>

const money = z.object({
  amount: z.number().int().describe("in the currency's minor unit"),
  currency: z.string(),
})

/** What the buyer does next: goes to the processor's page, or pays as the operator's instructions say. */
export const payment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('redirect'), url: z.string() }),
  z.object({ kind: z.literal('instructions'), text: z.string() }),
])

export type PaymentStep = z.infer<typeof payment>

/** A package that was ordered, as it was on sale at that moment. */
export const order = z.object({
  id: z.string(),
  object: z.literal('order'),
  package: z.object({ id: z.string(), name: z.string() }),
  credits,
  price: money,
  processor: processorName,
  state: orderState,
  automatic: z.boolean().describe('made by automatic top-up'),
  payment: payment.nullable().describe('what to do to pay; null when nothing is to be done'),
  refunded: money.describe('what was paid back of the price'),
  credits_taken_back: credits,
  problem: z.string().nullable().describe('why the order failed'),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  paid_at: timestamp.nullable(),
})

export type OrderRecord = z.infer<typeof order>

export const orderPage = page(order)

export const createOrder = z.object({
  package_id: z.string().min(1).max(100),
  processor: processorName.optional().describe('without it the first one that is set up'),
  save_payment_method: z
    .boolean()
    .default(false)
    .describe('keeps the payment method for automatic top-ups; needs a processor that can'),
})

export const adminOrder = order.extend({
  account_id: z.string(),
  account: z.object({ name: z.string(), owner_email: z.string() }).describe('as they are now'),
  user_id: z.string().nullable().describe('who ordered; null for an automatic top-up'),
  payment_reference: z.string().nullable().describe("the payment's id at the processor"),
  note: z.string().describe('what the operator wrote when marking it paid'),
})

export type AdminOrderRecord = z.infer<typeof adminOrder>

export const adminOrderPage = page(adminOrder)

export const adminOrderQuery = pageQuery.extend({
  account_id: z.string().optional(),
  state: orderState.optional(),
  search: searchText.describe(
    "the number of an order, a payment's id at its processor, or a part of an account's name or its owner's e-mail",
  ),
})

export const markOrderPaid = z.object({ note: z.string().trim().max(1000).default('') })

export const refundOrder = z.object({
  amount: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("in the currency's minor unit; without it all that is left"),
})

/** How a customer can pay here. */
export const paymentOptions = z.object({
  object: z.literal('payment_options'),
  processors: z.array(processorName),
  can_save_payment_method: z.boolean(),
  saved_payment_method: z.string().nullable().describe('such as "visa ending in 4242"'),
})

/** Buys a package by itself whenever the balance falls below the threshold. */
export const autoTopUp = z.object({
  object: z.literal('auto_top_up'),
  enabled: z.boolean(),
  package_id: z.string().nullable(),
  threshold: credits,
  monthly_ceiling: z
    .number()
    .int()
    .describe("in the minor unit of the package's currency: no more is bought in a calendar month (UTC)"),
  spent_this_month: z.number().int(),
  payment_method: z.string().nullable(),
  next_attempt_at: timestamp.nullable().describe('after a failure: not before this moment'),
  problem: z.string().nullable().describe('why the last attempt failed'),
})

export type AutoTopUpRecord = z.infer<typeof autoTopUp>

export const putAutoTopUp = z.object({
  enabled: z.boolean(),
  package_id: z.string().min(1).max(100),
  threshold: z.number().min(0),
  monthly_ceiling: z.number().int().min(1).max(1_000_000_000),
})
