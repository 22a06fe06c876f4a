import type { RoutingOrder } from '#contract/catalog.ts'
import type { Model } from '#web/api/admin/models.ts'
import { formatDuration } from '#web/ui/numbers.ts'

/** How routes of one order are chosen among. */
export const ORDERS: readonly { readonly value: RoutingOrder; readonly label: string }[] = [
  { value: 'shares', label: 'By their shares' },
  { value: 'least_latency', label: 'The one that answers soonest of late' },
  { value: 'least_cost', label: 'The one that costs least' },
]

export function orderWords({ order }: Model['routing']): string {
  return ORDERS.find(({ value }) => value === order)?.label.toLowerCase() ?? order
}

/** How often, how long and again: one or two sentences. */
export function ceilingWords({ max_attempts: attempts, max_ms: ms, retries }: Model['routing']): string {
  const rounds =
    retries === 0 ? '' : `, with ${retries === 1 ? '1 further round' : `${retries} further rounds`}`
  const most =
    attempts === 1 ? 'A request is tried once' : `A request is tried ${attempts} times at most${rounds}`
  return `${most}${ms === null ? '' : `, and waits for ${formatDuration(ms)} at most`}.`
}
