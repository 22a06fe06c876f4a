import { clientUsageQuery, usageReport } from '#contract/usage-report.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { userOf } from '#server/http/guard.ts'
import { sendFile, sendList } from '#server/http/stream-reply.ts'
import type { PortalParts } from './portal-parts.ts'

/** What the user's account used. */
export function registerClientUsageRoutes(app: HttpApp, { usage }: PortalParts): void {
  app.get(
    '/client/usage',
    { schema: { querystring: clientUsageQuery, response: { 200: usageReport } } },
    async (request, reply) => {
      const answer = await usage.report({ ...request.query, account_id: userOf(request).accountId })
      if (!answer.ok) return sendError(reply, answer.refusal)
      const { rows, ...report } = answer.value
      return sendList(reply, report, rows)
    },
  )

  app.get('/client/usage.csv', { schema: { querystring: clientUsageQuery } }, async (request, reply) => {
    const lines = usage.lines({ ...request.query, account_id: userOf(request).accountId })
    if (!lines.ok) return sendError(reply, lines.refusal)
    return sendFile(reply, { name: 'usage.csv', type: 'text/csv' }, lines.value)
  })
}
