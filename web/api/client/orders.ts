import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { type creditPackage, packageList } from '#contract/catalog.ts'
import { type createOrder, order, orderPage, paymentOptions } from '#contract/orders.ts'
import type { ApiError } from '../api-error.ts'
import { callOrThrow } from '../call.ts'
import { pollEvery } from '../poll.ts'

export type Order = z.output<typeof order>
export type CreditPackage = z.output<typeof creditPackage>
export type PaymentOptions = z.output<typeof paymentOptions>

/** The start of every query about orders: invalidate it when one was made. */
export const ORDERS = ['client', 'orders'] as const

export const packagesQuery = queryOptions({
  queryKey: ['client', 'packages'],
  queryFn: ({ signal }) => callOrThrow({ path: '/client/packages', reply: packageList, signal }),
})

export const paymentOptionsQuery = queryOptions({
  queryKey: ['client', 'payment-options'],
  queryFn: ({ signal }) => callOrThrow({ path: '/client/payment-options', reply: paymentOptions, signal }),
})

export const ordersQuery = (query: { readonly cursor?: string } = {}) =>
  queryOptions({
    queryKey: [...ORDERS, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/client/orders', query, reply: orderPage, signal }),
  })

/** A payment is confirmed within seconds; an invoice within days. */
const PAYMENT_MS = 2_000
const INVOICE_MS = 15_000

/** One order, asked for again and again until nothing about its payment is open any more. */
export const orderQuery = (id: string) =>
  queryOptions<Order, ApiError>({
    queryKey: [...ORDERS, id],
    queryFn: ({ signal }) =>
      callOrThrow({ path: `/client/orders/${encodeURIComponent(id)}`, reply: order, signal }),
    refetchInterval: query => {
      const { data } = query.state
      if (!data || !isOpen(data)) return false
      return pollEvery(data.processor === 'invoice' ? INVOICE_MS : PAYMENT_MS)(query)
    },
  })

/** Whether an order still waits for its payment. */
export function isOpen({ state }: Pick<Order, 'state'>): boolean {
  return state === 'created' || state === 'awaiting_payment'
}

export function placeOrder(body: z.input<typeof createOrder>): Promise<Order> {
  return callOrThrow({ method: 'POST', path: '/client/orders', body, reply: order })
}

export function forgetPaymentMethod(): Promise<null> {
  return callOrThrow({ method: 'DELETE', path: '/client/payment-method', reply: z.null() })
}

/** Where the receipt of a paid order is: a page to print. */
export const receiptUrl = (id: string) => `/client/orders/${encodeURIComponent(id)}/receipt`
