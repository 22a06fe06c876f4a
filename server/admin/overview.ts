import type { z } from 'zod'
import type { ServiceError } from '#contract/errors.ts'
import { type Overview, overview, overviewQuery } from '#contract/overview.ts'
import type { Outcome } from '#lib/outcome.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'

/** How the service is now, and what a span brought in and cost. 400 a span that is none, or longer than 31 days. */
export type ReadOverview = (query: z.infer<typeof overviewQuery>) => Promise<Outcome<Overview, ServiceError>>

/** For a scope that only administrators pass into. */
export function registerOverviewRoute(
  scope: HttpApp,
  { readOverview }: { readonly readOverview: ReadOverview },
): void {
  scope.get(
    '/admin/overview',
    { schema: { querystring: overviewQuery, response: { 200: overview } } },
    async (request, reply) => {
      const outcome = await readOverview(request.query)
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )
}
