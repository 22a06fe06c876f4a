import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { UsageBucket, usageSpanQuery } from '#contract/usage-report.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { DAY_MS, HOUR_MS } from '#storage/roll-ups/usage-tables.ts'

const MAX_HOURLY_DAYS = 31
const MAX_DAYS = 366
/** Days that begin at another hour than those of UTC are summed up from hours, of which there are many more. */
const MAX_SHIFTED_DAYS = 92

const DEFAULT_SPAN_MS = { hour: DAY_MS, day: 30 * DAY_MS } as const

/** Whole hours or days. */
export type UsageSpan = {
  readonly bucket: UsageBucket
  readonly fromMs: number
  readonly toMs: number
  /** By how much days begin earlier than those of UTC: two hours where clocks show +02:00. A whole number of hours. */
  readonly offsetMs: number
}

export function bucketMs({ bucket }: Pick<UsageSpan, 'bucket'>): number {
  return bucket === 'hour' ? HOUR_MS : DAY_MS
}

/** The span that a query asks for, widened to whole hours or days; 400 when it is none, or longer than pages may be. */
export function readUsageSpan(
  { from, to, bucket, tz }: z.infer<typeof usageSpanQuery>,
  nowMs: number,
): Outcome<UsageSpan, ServiceError> {
  const offsetMs = bucket === 'day' ? readOffset(tz) : 0
  const length = bucketMs({ bucket })
  const floor = (ms: number) => Math.floor((ms + offsetMs) / length) * length - offsetMs
  const endMs = to === undefined ? nowMs : Date.parse(to)
  const startMs = from === undefined ? endMs - DEFAULT_SPAN_MS[bucket] : Date.parse(from)
  if (endMs <= startMs) return refused(refusals.invalid('to: must be after from'))
  const span = { bucket, offsetMs, fromMs: floor(startMs), toMs: floor(endMs - 1) + length }
  const problem = findLengthProblem(span, (endMs - startMs) / DAY_MS)
  return problem === null ? accepted(span) : refused(refusals.invalid(problem))
}

/**
 * The whole days that were asked for count: what was added to make the ends even takes nothing away, nor does the moment
 * that a question takes to come.
 */
function findLengthProblem({ bucket, offsetMs }: UsageSpan, asked: number): string | null {
  const days = Math.floor(asked)
  if (bucket === 'hour') {
    return days <= MAX_HOURLY_DAYS
      ? null
      : `from: hours can be asked for ${MAX_HOURLY_DAYS} days at a time; for more, ask for bucket=day`
  }
  if (offsetMs !== 0 && days > MAX_SHIFTED_DAYS) {
    return `from: days of another time zone can be asked for ${MAX_SHIFTED_DAYS} at a time; for more, leave out tz`
  }
  return days <= MAX_DAYS ? null : `from: ${MAX_DAYS} days can be asked for at a time`
}

/** Where days begin; a plus sign that came unescaped in an address is a space. */
function readOffset(tz: string | undefined): number {
  const match = /^([+ -])(\d\d):00$/.exec(tz ?? '')
  return match === null ? 0 : Number(match[2]) * HOUR_MS * (match[1] === '-' ? -1 : 1)
}
