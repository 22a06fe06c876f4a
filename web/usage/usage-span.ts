import type { UsageBucket } from '#contract/usage-report.ts'
import type { UsageSearch } from './usage-search.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** As the service has it: hours for a month, days for a year. */
export const MAX_HOURLY_DAYS = 31
const MAX_DAYS = 366
/**
 * Days of another time zone than UTC are summed up from hours when they are asked for. The service does so for a quarter;
 * beyond a month it can be felt, and where a day begins matters less.
 */
const MAX_SHIFTED_DAYS = 31

/** Where days begin, in whole hours from UTC; elsewhere than that they begin as in UTC. */
const MAX_SHIFT_HOURS = 14

export type AskedSpan = {
  readonly from: string
  readonly to: string
  readonly bucket: UsageBucket
  /** Left out where days begin as in UTC. */
  readonly tz?: string
}

/** A span to ask for, or why what was chosen is none. */
export type SpanOutcome =
  | { readonly ok: true; readonly span: AskedSpan }
  | { readonly ok: false; readonly problem: string }

export type Here = {
  readonly nowMs: number
  /** How much earlier days begin here than in UTC; see `offsetHere`. */
  readonly offsetMs: number
}

/** The reader's own offset from UTC, as far as it is one of whole hours; else 0. */
export function offsetHere(now: Date): number {
  const hours = -now.getTimezoneOffset() / 60
  return Number.isInteger(hours) && Math.abs(hours) <= MAX_SHIFT_HOURS ? hours * HOUR_MS : 0
}

const PRESET_DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const

/** From which moment to which, by what was chosen: whole days of the reader, up to the hour that runs. */
export function readSpan(
  search: Pick<UsageSearch, 'range' | 'from' | 'to' | 'bucket'>,
  here: Here,
): SpanOutcome {
  const { range = '30d' } = search
  const nextHourMs = (Math.floor(here.nowMs / HOUR_MS) + 1) * HOUR_MS
  if (range === '24h') {
    return toSpan(nextHourMs - DAY_MS, nextHourMs, {
      bucket: search.bucket ?? 'hour',
      offsetMs: here.offsetMs,
    })
  }
  if (range === 'custom') return readDays(search, { here, nextHourMs })
  const days = PRESET_DAYS[range]
  const offsetMs = offsetOf(days, here)
  const fromMs = startOfDay(here.nowMs, offsetMs) - (days - 1) * DAY_MS
  return toSpan(fromMs, nextHourMs, { bucket: bucketOf(days, search.bucket), offsetMs })
}

type DaysOptions = { readonly here: Here; readonly nextHourMs: number }

function readDays(
  { from, to, bucket }: Pick<UsageSearch, 'from' | 'to' | 'bucket'>,
  { here, nextHourMs }: DaysOptions,
): SpanOutcome {
  const lastDay = to ?? dayOf(here.nowMs, here.offsetMs)
  const firstDay = from ?? lastDay
  if (firstDay > lastDay) return { ok: false, problem: 'The first day comes after the last.' }
  const days = (Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS + 1
  if (days > MAX_DAYS) return { ok: false, problem: `${MAX_DAYS} days can be shown at a time.` }
  const offsetMs = offsetOf(days, here)
  const fromMs = Date.parse(firstDay) - offsetMs
  const endMs = Date.parse(lastDay) + DAY_MS - offsetMs
  if (fromMs > here.nowMs) return { ok: false, problem: 'These days are still to come.' }
  return toSpan(fromMs, Math.min(endMs, nextHourMs), { bucket: bucketOf(days, bucket), offsetMs })
}

function offsetOf(days: number, { offsetMs }: Here): number {
  return days > MAX_SHIFTED_DAYS ? 0 : offsetMs
}

function bucketOf(days: number, wanted: UsageBucket = 'day'): UsageBucket {
  return days > MAX_HOURLY_DAYS ? 'day' : wanted
}

function startOfDay(ms: number, offsetMs: number): number {
  return Math.floor((ms + offsetMs) / DAY_MS) * DAY_MS - offsetMs
}

/** The date that it is at a moment, where days begin so much earlier than in UTC. */
export function dayOf(ms: number, offsetMs: number): string {
  return new Date(ms + offsetMs).toISOString().slice(0, 10)
}

function toSpan(
  fromMs: number,
  toMs: number,
  { bucket, offsetMs }: { readonly bucket: UsageBucket; readonly offsetMs: number },
): SpanOutcome {
  const span = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), bucket }
  return {
    ok: true,
    span: offsetMs === 0 || bucket === 'hour' ? span : { ...span, tz: offsetText(offsetMs) },
  }
}

/** `+02:00` */
export function offsetText(offsetMs: number): string {
  const hours = Math.abs(offsetMs) / HOUR_MS
  return `${offsetMs < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:00`
}
