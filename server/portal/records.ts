import { z } from 'zod'
import { ledgerPage, ledgerQuery } from '#contract/ledger.ts'
import { requestDetail, requestFilter, requestPage, requestQuery } from '#contract/usage.ts'
import { requestLines } from '#domains/usage/request-lines.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { userOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import { sendFile } from '#server/http/stream-reply.ts'
import type { PortalParts } from './portal-parts.ts'

/** What happened on the account of the user: the balance is shared, so all of its members see all of it. */
export function registerClientRecordRoutes(app: HttpApp, { credits, requests }: PortalParts): void {
  app.get(
    '/client/ledger',
    { schema: { querystring: ledgerQuery, response: { 200: ledgerPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const { accountId } = userOf(request)
      return reply.send(pageReply(await credits.listEntries(accountId, request.query, page.value)))
    },
  )

  app.get(
    '/client/requests',
    { schema: { querystring: requestQuery, response: { 200: requestPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const { key_id: keyId, ...query } = request.query
      const search = { ...query, keyId, accountId: userOf(request).accountId }
      return reply.send(pageReply(await requests.list(search, page.value)))
    },
  )

  app.get(
    '/client/requests/:id',
    { schema: { params: z.object({ id: z.string() }), response: { 200: requestDetail } } },
    async (request, reply) => {
      const outcome = await requests.get(request.params.id, userOf(request).accountId)
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.get('/client/requests.csv', { schema: { querystring: requestFilter } }, async (request, reply) => {
    const { key_id: keyId, ...query } = request.query
    const search = { ...query, keyId, accountId: userOf(request).accountId }
    return sendFile(reply, { name: 'requests.csv', type: 'text/csv' }, requestLines(requests.readAll(search)))
  })
}
