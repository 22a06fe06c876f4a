import { z } from 'zod'
import { adminRequestDetail, adminRequestPage, adminRequestQuery } from '#contract/usage.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { AdminParts } from './admin-parts.ts'

export function registerAdminRequestRoutes(app: HttpApp, { requests }: AdminParts): void {
  app.get(
    '/admin/requests',
    { schema: { querystring: adminRequestQuery, response: { 200: adminRequestPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const { account_id: accountId, key_id: keyId, ...query } = request.query
      return reply.send(pageReply(await requests.list({ ...query, accountId, keyId }, page.value)))
    },
  )

  app.get(
    '/admin/requests/:id',
    { schema: { params: z.object({ id: z.string() }), response: { 200: adminRequestDetail } } },
    async (request, reply) => {
      const outcome = await requests.get(request.params.id)
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )
}
