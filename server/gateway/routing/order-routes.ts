import type { CatalogModel, CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { Latencies } from './latencies.ts'

/** One request in so many goes by shares all the same, so that the slower routes are measured too. */
const EXPLORED_SHARE = 1 / 32

export type OrderParts = {
  /** Numbers from 0 up to but not 1. */
  readonly random: () => number
  readonly latencies: Pick<Latencies, 'find'>
}

/**
 * The order in which a model's routes are tried: lower priority first; among equals as the model says: drawn by weight,
 * without putting back, or the fastest or the cheapest first. A route of weight 0 is tried last among its equals.
 */
export function orderRoutes(
  { routes, routing }: Pick<CatalogModel, 'routes' | 'routing'>,
  isStream: boolean,
  { random, latencies }: OrderParts,
): readonly CatalogRoute[] {
  if (routes.length < 2) return routes
  const rank = rankBy(routing.order, isStream, latencies)
  const isRanked = rank !== null && !(routing.order === 'least_latency' && random() < EXPLORED_SHARE)
  const ordered: CatalogRoute[] = []
  const priorities = [...new Set(routes.map(route => route.priority))].sort((a, b) => a - b)
  for (const priority of priorities) {
    const drawn = drawByWeight(
      routes.filter(route => route.priority === priority),
      random,
    )
    // Sorting keeps the drawn order of those that rank alike.
    ordered.push(...(isRanked ? drawn.sort((a, b) => rank(a) - rank(b)) : drawn))
  }
  return ordered
}

type Rank = (route: CatalogRoute) => number

/** null where shares alone decide. What has no latency yet goes first, to get one; what has no cost goes last. */
function rankBy(
  order: CatalogModel['routing']['order'],
  isStream: boolean,
  latencies: OrderParts['latencies'],
): Rank | null {
  if (order === 'shares') return null
  const rank: Rank =
    order === 'least_cost' ? ({ cost }) => cost ?? LAST : route => latencies.find(route, isStream) ?? 0
  return route => (route.weight === 0 ? LAST : rank(route))
}

/** Behind every number that a route may have; the difference of two is a number too. */
const LAST = Number.MAX_VALUE

function drawByWeight(routes: readonly CatalogRoute[], random: () => number): CatalogRoute[] {
  const left = [...routes]
  const drawn: CatalogRoute[] = []
  while (left.length > 0) {
    const total = left.reduce((sum, route) => sum + route.weight, 0)
    let mark = random() * total
    let at = left.findIndex(route => {
      mark -= route.weight
      return mark < 0
    })
    if (at === -1) at = 0
    drawn.push(...left.splice(at, 1))
  }
  return drawn
}
