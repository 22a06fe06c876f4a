import type { HealthBucket, HealthFigures, ProviderHealth } from '#contract/provider-health.ts'
import { DAY, HOUR } from '#web/ui/chart/moments.ts'
import type { ChartPoint, Series } from '#web/ui/chart/series.ts'

export type FailureKind = keyof HealthFigures['failures']

/** What speaks against a provider, in words and colours. */
export const FAILURE_SERIES = [
  { key: 'throttled', label: 'Throttled', color: 'var(--bucket-output)' },
  { key: 'failed', label: 'Answered with an error', color: 'var(--bad)' },
  { key: 'timed_out', label: 'Too slow', color: 'var(--bucket-cache-write)' },
  { key: 'unreachable', label: 'No connection', color: 'var(--bucket-input)' },
  { key: 'broke_off', label: 'Broke off', color: 'var(--bucket-cache-read)' },
  { key: 'credential_refused', label: 'Credential refused', color: 'var(--muted)' },
] as const satisfies readonly (Series & { readonly key: FailureKind })[]

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The steps of a history: how long each is, what it is called, and how a moment is named. Days are those of UTC. */
export const STEPS: Readonly<
  Record<HealthBucket, { lengthMs: number; by: string; header: string; format: Intl.DateTimeFormat }>
> = {
  five_minutes: { lengthMs: 300_000, by: 'by five minutes', header: 'From', format: TIME },
  hour: { lengthMs: 3_600_000, by: 'hour by hour', header: 'Hour', format: HOUR },
  day: { lengthMs: 86_400_000, by: 'day by day', header: 'Day', format: DAY },
}

/** The failures of every step, of those without attempts too. */
export function drawHistory({ from, to, bucket, data }: ProviderHealth): ChartPoint[] {
  const { lengthMs, format } = STEPS[bucket]
  const fromMs = Date.parse(from)
  const failures = new Map(data.map(row => [Date.parse(row.from), row.failures]))
  const count = Math.round((Date.parse(to) - fromMs) / lengthMs)
  return Array.from({ length: count }, (_, index) => {
    const startMs = fromMs + index * lengthMs
    const found = failures.get(startMs)
    return {
      label: format.format(startMs),
      values: Object.fromEntries(FAILURE_SERIES.map(({ key }) => [key, found?.[key] ?? 0])),
    }
  })
}

export function countFailures({ failures }: Pick<HealthFigures, 'failures'>): number {
  return Object.values(failures).reduce((sum, count) => sum + count, 0)
}

/** How long routes were left alone: `40 s`, `12 min`, `3.5 h`. */
export function formatRest(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 360) / 10} h`
}
