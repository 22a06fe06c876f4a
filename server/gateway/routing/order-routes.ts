import type { CatalogRoute } from '#domains/catalog/snapshot.ts'

/**
 * The order in which a model's routes are tried: lower priority first; among equals drawn by weight, without putting
 * back. A route of weight 0 is tried last among its equals. `random` gives numbers from 0 up to but not 1.
 */
export function orderRoutes(routes: readonly CatalogRoute[], random: () => number): readonly CatalogRoute[] {
  if (routes.length < 2) return routes
  const ordered: CatalogRoute[] = []
  const priorities = [...new Set(routes.map(route => route.priority))].sort((a, b) => a - b)
  for (const priority of priorities) {
    ordered.push(
      ...drawByWeight(
        routes.filter(route => route.priority === priority),
        random,
      ),
    )
  }
  return ordered
}

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
