import type { HealthBucket } from '#contract/provider-health.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How far back the history of a provider can be looked at. */
export const HISTORY_RANGES = ['3h', '24h', '7d', '30d'] as const
export type HistoryRange = (typeof HISTORY_RANGES)[number]

const SHAPES: Readonly<Record<HistoryRange, { bucket: HealthBucket; stepMs: number; lengthMs: number }>> = {
  '3h': { bucket: 'five_minutes', stepMs: 5 * MINUTE_MS, lengthMs: 3 * HOUR_MS },
  '24h': { bucket: 'hour', stepMs: HOUR_MS, lengthMs: DAY_MS },
  '7d': { bucket: 'hour', stepMs: HOUR_MS, lengthMs: 7 * DAY_MS },
  '30d': { bucket: 'day', stepMs: DAY_MS, lengthMs: 30 * DAY_MS },
}

/** Up to the end of the present step, so that all questions within it are about the same span. */
export function historySpan(range: HistoryRange, nowMs: number) {
  const { bucket, stepMs, lengthMs } = SHAPES[range]
  const toMs = Math.ceil(nowMs / stepMs) * stepMs
  return { bucket, from: new Date(toMs - lengthMs).toISOString(), to: new Date(toMs).toISOString() }
}
