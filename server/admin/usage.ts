import { adminUsageQuery, usageReport } from '#contract/usage-report.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { sendList } from '#server/http/stream-reply.ts'
import type { AdminParts } from './admin-parts.ts'

/** What was used, over all accounts or of one. */
export function registerAdminUsageRoutes(app: HttpApp, { usage }: AdminParts): void {
  app.get(
    '/admin/usage',
    { schema: { querystring: adminUsageQuery, response: { 200: usageReport } } },
    async (request, reply) => {
      const answer = await usage.report(request.query)
      if (!answer.ok) return sendError(reply, answer.refusal)
      const { rows, ...report } = answer.value
      return sendList(reply, report, rows)
    },
  )
}
