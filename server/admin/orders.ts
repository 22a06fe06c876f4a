import { z } from 'zod'
import type { ServiceError } from '#contract/errors.ts'
import { refusals } from '#contract/errors.ts'
import { adminOrder, adminOrderPage, adminOrderQuery, markOrderPaid, refundOrder } from '#contract/orders.ts'
import { pageQuery } from '#contract/primitives.ts'
import { createPromoCode, patchPromoCode, promoCode, promoCodePage } from '#contract/promo-codes.ts'
import { toAdminOrderRecord } from '#domains/orders/order-record.ts'
import type { Orders } from '#domains/orders/orders.ts'
import type { PromoCodes } from '#domains/promo-codes/promo-codes.ts'
import type { Outcome } from '#lib/outcome.ts'
import { mapPage } from '#lib/page.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { OrderRow } from '#storage/sales-tables.ts'

const params = z.object({ id: z.string() })

/** Orders as operators see and settle them. For a scope that only administrators pass into. */
export function registerOrderRoutes(scope: HttpApp, { orders }: { readonly orders: Orders }): void {
  const shown = (outcome: Outcome<OrderRow, ServiceError>) =>
    outcome.ok ? { ...outcome, value: toAdminOrderRecord(outcome.value) } : outcome

  scope.get(
    '/admin/orders',
    { schema: { querystring: adminOrderQuery, response: { 200: adminOrderPage } } },
    async (request, reply) => {
      const { account_id: accountId, state } = request.query
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const found = await orders.list({ accountId, state }, page.value)
      return reply.send(pageReply(mapPage(found, toAdminOrderRecord)))
    },
  )

  scope.get(
    '/admin/orders/:id',
    { schema: { params, response: { 200: adminOrder } } },
    async (request, reply) => {
      const found = await orders.find(request.params.id)
      return found
        ? reply.send(toAdminOrderRecord(found))
        : sendError(reply, refusals.notFound('No such order'))
    },
  )

  scope.post(
    '/admin/orders/:id/mark-paid',
    { schema: { params, body: markOrderPaid.nullish(), response: { 200: adminOrder } } },
    async (request, reply) => {
      const note = request.body?.note ?? ''
      const outcome = shown(await orders.markPaid(request.params.id, note, actorOf(request)))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  scope.post(
    '/admin/orders/:id/refund',
    { schema: { params, body: refundOrder.nullish(), response: { 200: adminOrder } } },
    async (request, reply) => {
      const amount = request.body?.amount
      const outcome = shown(await orders.refund(request.params.id, amount, actorOf(request)))
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
