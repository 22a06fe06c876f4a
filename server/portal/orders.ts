import { z } from 'zod'
import { refusals } from '#contract/errors.ts'
import { expiringCreditsList, ledgerEntry } from '#contract/ledger.ts'
import { autoTopUp, createOrder, order, orderPage, paymentOptions, putAutoTopUp } from '#contract/orders.ts'
import { pageQuery } from '#contract/primitives.ts'
import { redeemPromoCode } from '#contract/promo-codes.ts'
import { toLedgerEntryRecord } from '#domains/accounts/list-entries.ts'
import type { ExpiringCredits } from '#domains/billing/expiring-credits.ts'
import type { AutoTopUps } from '#domains/orders/auto-top-up.ts'
import { toOrderRecord } from '#domains/orders/order-record.ts'
import type { Orders } from '#domains/orders/orders.ts'
import { renderReceipt } from '#domains/orders/receipt.ts'
import type { RedeemPromoCode } from '#domains/promo-codes/redeem.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import { clientNetwork } from '#lib/client-address.ts'
import { rfc3339 } from '#lib/clock.ts'
import { creditsFromMicros } from '#lib/money.ts'
import { mapPage } from '#lib/page.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { userOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'

export type OrderRouteParts = {
  /** Where browsers find the service; null when that is not configured. */
  readonly publicUrl: string | null
  readonly orders: Orders
  readonly autoTopUps: AutoTopUps
  readonly redeemPromoCode: RedeemPromoCode
  readonly expiringCredits: Pick<ExpiringCredits, 'listLeft'>
  readonly settings: Pick<SettingsRegister, 'get'>
}

const params = z.object({ id: z.string() })
const NOT_FOUND = refusals.notFound('No such order')

/** Buying credits, for the account of the user: everybody on it sees its orders, as they see its ledger. */
export function registerClientOrderRoutes(app: HttpApp, parts: OrderRouteParts): void {
  const { orders, publicUrl } = parts

  app.post(
    '/client/orders',
    { schema: { body: createOrder, response: { 201: order } } },
    async (request, reply) => {
      const { id, email, accountId } = userOf(request)
      const base = publicUrl ?? `${request.protocol}://${request.host}`
      const outcome = await orders.place({
        accountId,
        user: { id, email },
        packageId: request.body.package_id,
        processor: request.body.processor,
        saveMethod: request.body.save_payment_method,
        returnUrls: orderId => ({
          paid: `${base}/portal/credits/orders/${orderId}`,
          cancelled: `${base}/portal/credits/orders/${orderId}?cancelled=1`,
        }),
      })
      return outcome.ok
        ? reply.code(201).send(toOrderRecord(outcome.value))
        : sendError(reply, outcome.refusal)
    },
  )

  app.get(
    '/client/orders',
    { schema: { querystring: pageQuery, response: { 200: orderPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const { accountId } = userOf(request)
      return reply.send(pageReply(mapPage(await orders.list(accountId, page.value), toOrderRecord)))
    },
  )

  app.get('/client/orders/:id', { schema: { params, response: { 200: order } } }, async (request, reply) => {
    const found = await orders.find(request.params.id)
    if (found?.account_id !== userOf(request).accountId) return sendError(reply, NOT_FOUND)
    return reply.send(toOrderRecord(found))
  })

  registerReceipt(app, parts)
  registerExpiringCredits(app, parts)
  registerPaymentRoutes(app, parts)
}

/** A page, and not JSON: the browser prints it or keeps it as PDF. */
function registerReceipt(app: HttpApp, { orders, settings }: OrderRouteParts): void {
  app.get('/client/orders/:id/receipt', { schema: { params } }, async (request, reply) => {
    const { accountId, name, email } = userOf(request)
    const found = await orders.find(request.params.id)
    if (found?.account_id !== accountId || found.paid_at === null) return sendError(reply, NOT_FOUND)
    const { receipt_seller: seller, branding } = await settings.get()
    return reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .send(renderReceipt({ order: found, buyer: { name, email }, seller, service: branding.name }))
  })
}

function registerExpiringCredits(app: HttpApp, { expiringCredits }: OrderRouteParts): void {
  app.get(
    '/client/expiring-credits',
    { schema: { response: { 200: expiringCreditsList } } },
    async (request, reply) => {
      const left = await expiringCredits.listLeft(userOf(request).accountId)
      const data = left.map(({ leftMicros, expiresAt }) => ({
        object: 'expiring_credits' as const,
        credits: creditsFromMicros(leftMicros),
        expires_at: rfc3339(expiresAt),
      }))
      return reply.send({ object: 'list', data, next_cursor: null })
    },
  )
}

function registerPaymentRoutes(app: HttpApp, parts: OrderRouteParts): void {
  const { autoTopUps, orders, redeemPromoCode: redeem } = parts

  app.get('/client/payment-options', { schema: { response: { 200: paymentOptions } } }, async request => {
    const processors = await orders.listOffered()
    const { payment_method } = await autoTopUps.get(userOf(request).accountId)
    return {
      object: 'payment_options' as const,
      processors,
      can_save_payment_method: processors.includes('stripe'),
      saved_payment_method: payment_method,
    }
  })

  app.delete(
    '/client/payment-method',
    { schema: { response: { 204: z.null() } } },
    async (request, reply) => {
      await autoTopUps.forgetMethod(userOf(request).accountId)
      return reply.code(204).send(null)
    },
  )

  app.get('/client/auto-top-up', { schema: { response: { 200: autoTopUp } } }, request =>
    autoTopUps.get(userOf(request).accountId),
  )

  app.put(
    '/client/auto-top-up',
    { schema: { body: putAutoTopUp, response: { 200: autoTopUp } } },
    async (request, reply) => {
      const outcome = await autoTopUps.put(userOf(request).accountId, request.body)
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.post(
    '/client/promo-codes/redeem',
    { schema: { body: redeemPromoCode, response: { 201: ledgerEntry } } },
    async (request, reply) => {
      const redeemer = { accountId: userOf(request).accountId, network: clientNetwork(request.ip) }
      const outcome = await redeem(request.body.code, redeemer)
      return outcome.ok
        ? reply.code(201).send(toLedgerEntryRecord(outcome.value))
        : sendError(reply, outcome.refusal)
    },
  )
}
