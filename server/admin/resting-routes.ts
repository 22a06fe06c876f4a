import { type RestingRoute, restingRouteList } from '#contract/resting-routes.ts'
import type { HttpApp } from '#server/http/frame.ts'

/** Which upstreams are passed over. For a scope that only administrators pass into. */
export function registerRestingRoutes(
  scope: HttpApp,
  { listResting }: { readonly listResting: () => RestingRoute[] },
): void {
  scope.get(
    '/admin/resting-routes',
    { schema: { response: { 200: restingRouteList } } },
    async (_request, reply) => reply.send({ object: 'list', data: listResting(), next_cursor: null }),
  )
}
