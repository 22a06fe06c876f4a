import { DURATION_BOUNDS_MS } from '#storage/roll-ups/duration-buckets.ts'

/** How long so many requests took in all, and how many of them how long by bucket where that is known. */
export type Durations = {
  readonly count: number
  readonly sumMs: number
  readonly histogram: readonly number[] | null
}

/**
 * The duration that a share of all did not exceed, in milliseconds; null when there are none. Within its bucket the
 * durations are taken to be spread evenly, so it is off by less than the bucket's width. Beyond the last bound the bound
 * itself is the answer: at least that long.
 */
export function findPercentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let before = 0
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const above = DURATION_BOUNDS_MS[bucket - 1] ?? 0
      const upTo = DURATION_BOUNDS_MS[bucket] ?? above
      return Math.round(above + ((upTo - above) * (rank - before)) / count)
    }
    before += count
  }
  return DURATION_BOUNDS_MS.at(-1) ?? null
}

/** The average and percentiles that replies show; null when there is nothing to measure. */
export function summarise({
  count,
  sumMs,
  histogram,
}: Durations): { average: number; p50: number | null; p95: number | null } | null {
  if (count === 0) return null
  return {
    average: Math.round(sumMs / count),
    p50: histogram && findPercentile(histogram, 0.5),
    p95: histogram && findPercentile(histogram, 0.95),
  }
}
