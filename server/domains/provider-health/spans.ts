import type { HealthBucket } from '#contract/provider-health.ts'
import { DAY_MS, HOUR_MS } from '#storage/roll-ups/usage-tables.ts'

export const FIVE_MINUTES_MS = 300_000

/** The spans that are summed up, and for how long they are kept. */
export const SPANS: Readonly<Record<HealthBucket, { readonly lengthMs: number; readonly keptMs: number }>> = {
  five_minutes: { lengthMs: FIVE_MINUTES_MS, keptMs: 2 * DAY_MS },
  hour: { lengthMs: HOUR_MS, keptMs: 32 * DAY_MS },
  day: { lengthMs: DAY_MS, keptMs: 400 * DAY_MS },
}
