const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How far back the overview can look. */
export const OVERVIEW_RANGES = ['24h', '7d', '30d'] as const
export type OverviewRange = (typeof OVERVIEW_RANGES)[number]

const LENGTHS: Readonly<Record<OverviewRange, number>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
}

/** Up to the end of the present hour, so that all questions within it are about the same span. */
export function spanOf(range: OverviewRange, nowMs: number): { readonly from: string; readonly to: string } {
  const toMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS
  return { from: new Date(toMs - LENGTHS[range]).toISOString(), to: new Date(toMs).toISOString() }
}
