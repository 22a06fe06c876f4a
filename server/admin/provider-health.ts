import { z } from 'zod'
import { healthQuery, providerHealth } from '#contract/provider-health.ts'
import type { ReadHealth } from '#domains/provider-health/read-health.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'

const params = z.object({ id: z.string() })

/** How providers fared. For a scope that only administrators pass into. */
export function registerProviderHealthRoute(
  scope: HttpApp,
  { readHealth }: { readonly readHealth: ReadHealth },
): void {
  scope.get(
    '/admin/providers/:id/health',
    { schema: { params, querystring: healthQuery, response: { 200: providerHealth } } },
    async (request, reply) => {
      const outcome = await readHealth(request.params.id, request.query)
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )
}
