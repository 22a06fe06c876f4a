/** How many failures in a row make a route count as failing. */
const FAILURES_TO_DEGRADE = 3

/** Remembers for each route how it went of late: the catalogue shows a model whose routes all fail as degraded. */
export type RouteHealth = {
  succeeded(routeId: string): void
  failed(routeId: string): void
  isFailing(routeId: string): boolean
}

export function createRouteHealth(): RouteHealth {
  const failures = new Map<string, number>()
  return {
    succeeded: routeId => {
      failures.delete(routeId)
    },
    failed: routeId => {
      failures.set(routeId, (failures.get(routeId) ?? 0) + 1)
    },
    isFailing: routeId => (failures.get(routeId) ?? 0) >= FAILURES_TO_DEGRADE,
  }
}
