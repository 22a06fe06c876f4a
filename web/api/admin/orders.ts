import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  adminOrder,
  adminOrderPage,
  type adminOrderQuery,
  type markOrderPaid,
  type refundOrder,
} from '#contract/orders.ts'
import { callOrThrow } from '../call.ts'

export type Order = z.output<typeof adminOrder>

/** The start of every query about orders: invalidate it when one changed. */
export const ORDERS = ['admin', 'orders'] as const

/** Orders of all accounts, newest first. */
export const ordersQuery = (query: Partial<z.output<typeof adminOrderQuery>> = {}) =>
  queryOptions({
    queryKey: [...ORDERS, query],
    queryFn: ({ signal }) => callOrThrow({ path: '/admin/orders', query, reply: adminOrderPage, signal }),
  })

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: [...ORDERS, id],
    queryFn: ({ signal }) => callOrThrow({ path: pathOf(id), reply: adminOrder, signal }),
  })

export function markPaid(id: string, body: z.input<typeof markOrderPaid>): Promise<Order> {
  return callOrThrow({ method: 'POST', path: `${pathOf(id)}/mark-paid`, body, reply: adminOrder })
}

export function refund(id: string, body: z.input<typeof refundOrder>): Promise<Order> {
  return callOrThrow({ method: 'POST', path: `${pathOf(id)}/refund`, body, reply: adminOrder })
}

const pathOf = (id: string) => `/admin/orders/${encodeURIComponent(id)}`
