import { auditPage, auditQuery } from '#contract/sessions.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { AdminParts } from './admin-parts.ts'

export function registerAuditRoutes(app: HttpApp, { audit }: AdminParts): void {
  app.get(
    '/admin/audit',
    { schema: { querystring: auditQuery, response: { 200: auditPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const { actor_id: actorId, target_type: targetType, target_id: targetId, ...query } = request.query
      const filter = { ...query, actorId, targetType, targetId }
      return reply.send(pageReply(await audit.list(page.value, filter)))
    },
  )
}
