import { DAY_MS } from '#storage/roll-ups/usage-tables.ts'
import type { Storage } from '#storage/storage.ts'
import type { UsageSpan } from './usage-span.ts'
import { daysBetween, hoursBetween, type UsageFilter, type UsageSlice } from './usage-sums.ts'

type Reports = Pick<Storage, 'reports'>

/** What the rows of a span are read from: whole days where they may be, else hours. */
export async function readSlice(storage: Reports, span: UsageSpan, filter: UsageFilter): Promise<UsageSlice> {
  const { bucket, offsetMs, fromMs, toMs } = span
  if (bucket === 'hour' || offsetMs !== 0) return { filter, hours: hoursBetween(fromMs, toMs), days: [] }
  return readCoarseSlice(storage, span, filter)
}

/** The fewest roll-ups that a span is the sum of: days that are summed up by themselves, and the hours of all others. */
export async function readCoarseSlice(
  { reports }: Reports,
  { fromMs, toMs }: Pick<UsageSpan, 'fromMs' | 'toMs'>,
  filter: UsageFilter,
): Promise<UsageSlice> {
  const firstDay = Math.ceil(fromMs / DAY_MS) * DAY_MS
  const endOfDays = Math.max(firstDay, Math.floor(toMs / DAY_MS) * DAY_MS)
  if (firstDay > toMs) return { filter, hours: hoursBetween(fromMs, toMs), days: [] }
  const folded = await reports
    .selectFrom('folded_days')
    .select('started_at')
    .where('state', '=', 'folded')
    .where('started_at', '>=', firstDay)
    .where('started_at', '<', endOfDays)
    .execute()
  const days = new Set(folded.map(row => row.started_at))
  const others = daysBetween(firstDay, endOfDays).filter(day => !days.has(day))
  return {
    filter,
    days: [...days],
    hours: [
      ...hoursBetween(fromMs, firstDay),
      ...others.flatMap(day => hoursBetween(day, day + DAY_MS)),
      ...hoursBetween(endOfDays, toMs),
    ],
  }
}

/** The part of a slice that lies between two moments. */
export function partOf(slice: UsageSlice, fromMs: number, toMs: number): UsageSlice {
  const lies = (start: number) => start >= fromMs && start < toMs
  return { filter: slice.filter, hours: slice.hours.filter(lies), days: slice.days.filter(lies) }
}
