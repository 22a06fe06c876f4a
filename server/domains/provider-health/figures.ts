import type { HealthFigures } from '#contract/provider-health.ts'
import { ATTEMPT_ENDS, HEALTH_COUNTS, type HealthCounts } from '#storage/watch-tables.ts'

/** Counts as a report shows them. */
export function toFigures(sums: HealthCounts): HealthFigures {
  const { answered, throttled, timed_out, unreachable, refused, failed, rejected, broke_off } = sums
  return {
    attempts: ATTEMPT_ENDS.reduce((sum, end) => sum + sums[end], 0),
    answered,
    rejected,
    failures: { throttled, timed_out, unreachable, credential_refused: refused, failed, broke_off },
    rests: sums.rests,
    rest_seconds: sums.rest_ms / 1000,
    probes: sums.probes,
    recoveries: sums.recoveries,
  }
}

/** How many of the attempts speak against the provider. */
export function countFailures({ failures }: Pick<HealthFigures, 'failures'>): number {
  return Object.values(failures).reduce((sum, count) => sum + count, 0)
}

/** Sums as the store gives them, which may come as texts. */
export function readCounts(row: Readonly<Record<keyof HealthCounts, unknown>>): HealthCounts {
  // Every count is among them.
  return Object.fromEntries(HEALTH_COUNTS.map(count => [count, Number(row[count] ?? 0)])) as HealthCounts
}
