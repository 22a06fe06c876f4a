import { z } from 'zod'
import type { ServiceError } from '#contract/errors.ts'
import { refusals } from '#contract/errors.ts'
import {
  type AdminOrderRecord,
  adminOrder,
  adminOrderPage,
  adminOrderQuery,
  markOrderPaid,
  refundOrder,
} from '#contract/orders.ts'
import { pageQuery } from '#contract/primitives.ts'
import { createPromoCode, patchPromoCode, promoCode, promoCodePage } from '#contract/promo-codes.ts'
import type { OrderSearch } from '#domains/orders/order-search.ts'
import type { Orders } from '#domains/orders/orders.ts'
import type { PromoCodes } from '#domains/promo-codes/promo-codes.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { OrderRow } from '#storage/sales-tables.ts'

const params = z.object({ id: z.string() })
const NOT_FOUND = refusals.notFound('No such order')

export type OrderRouteParts = { readonly orders: Orders; readonly orderSearch: OrderSearch }

/** Orders as operators see and settle them. For a scope that only administrators pass into. */
export function registerOrderRoutes(scope: HttpApp, { orders, orderSearch }: OrderRouteParts): void {
  async function shown(
    outcome: Outcome<OrderRow, ServiceError>,
  ): Promise<Outcome<AdminOrderRecord, ServiceError>> {
    if (!outcome.ok) return outcome
    const found = await orderSearch.find(outcome.value.id)
    return found ? accepted(found) : refused(NOT_FOUND)
  }

  scope.get(
    '/admin/orders',
    { schema: { querystring: adminOrderQuery, response: { 200: adminOrderPage } } },
    async (request, reply) => {
      const { account_id: accountId, state, search } = request.query
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await orderSearch.list({ accountId, state, search }, page.value)))
    },
  )

  scope.get(
    '/admin/orders/:id',
    { schema: { params, response: { 200: adminOrder } } },
    async (request, reply) => {
      const found = await orderSearch.find(request.params.id)
      return found ? reply.send(found) : sendError(reply, NOT_FOUND)
    },
  )

  scope.post(
    '/admin/orders/:id/mark-paid',
    { schema: { params, body: markOrderPaid.nullish(), response: { 200: adminOrder } } },
    async (request, reply) => {
      const note = request.body?.note ?? ''
      const outcome = await shown(await orders.markPaid(request.params.id, note, actorOf(request)))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.post(
    '/admin/orders/:id/refund',
    { schema: { params, body: refundOrder.nullish(), response: { 200: adminOrder } } },
    async (request, reply) => {
      const amount = request.body?.amount
      const outcome = await shown(await orders.refund(request.params.id, amount, actorOf(request)))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )
}

export function registerPromoCodeRoutes(
  scope: HttpApp,
  { promoCodes }: { readonly promoCodes: PromoCodes },
): void {
  scope.get(
    '/admin/promo-codes',
    { schema: { querystring: pageQuery, response: { 200: promoCodePage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await promoCodes.list(page.value)))
    },
  )

  scope.post(
    '/admin/promo-codes',
    { schema: { body: createPromoCode, response: { 201: promoCode } } },
    async (request, reply) => {
      const outcome = await promoCodes.create(request.body, actorOf(request))
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.patch(
    '/admin/promo-codes/:id',
    { schema: { params, body: patchPromoCode, response: { 200: promoCode } } },
    async (request, reply) => {
      const outcome = await promoCodes.patch(request.params.id, request.body, actorOf(request))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )
}
