import { ledgerPage } from '#contract/ledger.ts'
import { pageQuery } from '#contract/primitives.ts'
import { requestPage, requestQuery } from '#contract/usage.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { userOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { PortalParts } from './portal-parts.ts'

/** What happened on the account of the user: the balance is shared, so all of its members see all of it. */
export function registerClientRecordRoutes(app: HttpApp, { credits, requests }: PortalParts): void {
  app.get(
    '/client/ledger',
    { schema: { querystring: pageQuery, response: { 200: ledgerPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await credits.listEntries(userOf(request).accountId, page.value)))
    },
  )

  app.get(
    '/client/requests',
    { schema: { querystring: requestQuery, response: { 200: requestPage } } },
    async (request, reply) => {
      const { key_id: keyId, model, status } = request.query
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const { accountId } = userOf(request)
      return reply.send(pageReply(await requests.list({ accountId, keyId, model, status }, page.value)))
    },
  )
}
