import type { RestingRoute } from '#contract/resting-routes.ts'
import type { CatalogSnapshot } from '#domains/catalog/snapshot.ts'
import { type Clock, rfc3339 } from '#lib/clock.ts'
import type { RouteRests } from './route-rests.ts'

/** All routes that are passed over now, as far as this node knows, by the order of their models. */
export function listResting(
  { models }: CatalogSnapshot,
  rests: Pick<RouteRests, 'areAny' | 'find'>,
  clock: Clock,
): RestingRoute[] {
  if (!rests.areAny()) return []
  const aheadMs = clock.now() - clock.monotonicMs()
  return [...models.values()].flatMap(model =>
    model.routes.flatMap((route): RestingRoute[] => {
      const rest = rests.find(route)
      if (!rest) return []
      return [
        {
          object: 'resting_route',
          model: model.id,
          route_id: route.routeId,
          provider_id: route.provider.id,
          upstream_model: route.upstreamModel,
          credential: route.provider.credentialName,
          reason: rest.kind,
          until: rfc3339(aheadMs + rest.untilMs),
        },
      ]
    }),
  )
}
