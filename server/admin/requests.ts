import { adminRequestQuery, requestPage } from '#contract/usage.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { AdminParts } from './admin-parts.ts'

export function registerAdminRequestRoutes(app: HttpApp, { requests }: AdminParts): void {
  app.get(
    '/admin/requests',
    { schema: { querystring: adminRequestQuery, response: { 200: requestPage } } },
    async (request, reply) => {
      const { account_id: accountId, key_id: keyId, model, status } = request.query
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await requests.list({ accountId, keyId, model, status }, page.value)))
    },
  )
}
