import { z } from 'zod'
import { adminRequestDetail, adminRequestPage, adminRequestQuery } from '#contract/usage.ts'
import { mapPage } from '#lib/page.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { AdminParts } from './admin-parts.ts'

export function registerAdminRequestRoutes(app: HttpApp, { requests, accounts }: AdminParts): void {
  app.get(
    '/admin/requests',
    { schema: { querystring: adminRequestQuery, response: { 200: adminRequestPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const { account_id: accountId, key_id: keyId, ...query } = request.query
      const found = await requests.list({ ...query, accountId, keyId }, page.value)
      const accountOf = await accounts.names.ofAccounts(found.items.map(({ account_id }) => account_id))
      return reply.send(pageReply(mapPage(found, one => ({ ...one, account: accountOf(one.account_id) }))))
    },
  )

  app.get(
    '/admin/requests/:id',
    { schema: { params: z.object({ id: z.string() }), response: { 200: adminRequestDetail } } },
    async (request, reply) => {
      const outcome = await requests.get(request.params.id)
      if (!outcome.ok) return sendError(reply, outcome.refusal)
      const accountOf = await accounts.names.ofAccounts([outcome.value.account_id])
      return reply.send({ ...outcome.value, account: accountOf(outcome.value.account_id) })
    },
  )
}
