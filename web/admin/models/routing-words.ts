import type { RoutingOrder } from '#contract/catalog.ts'

/** How routes of one order are chosen among. */
export const ORDERS: readonly { readonly value: RoutingOrder; readonly label: string }[] = [
  { value: 'shares', label: 'By their shares' },
  { value: 'least_latency', label: 'The one that answers soonest of late' },
  { value: 'least_cost', label: 'The one that costs least' },
]
