import type { Storage } from '#storage/storage.ts'
import type { UsageSpan } from './usage-span.ts'
import { daysBetween, hoursBetween, type UsageFilter, type UsageSlice } from './usage-sums.ts'

/** The roll-ups that a span is read from: days that are summed up by themselves, and the hours of all others. */
export async function readSlice(
  { reports }: Pick<Storage, 'reports'>,
  { bucket, offsetMs, fromMs, toMs }: UsageSpan,
  filter: UsageFilter,
): Promise<UsageSlice> {
  if (bucket === 'hour' || offsetMs !== 0) return { filter, hours: hoursBetween(fromMs, toMs), days: [] }
  const folded = await reports
    .selectFrom('folded_days')
    .select('started_at')
    .where('state', '=', 'folded')
    .where('started_at', '>=', fromMs)
    .where('started_at', '<', toMs)
    .execute()
  const days = new Set(folded.map(row => row.started_at))
  const others = daysBetween(fromMs, toMs).filter(day => !days.has(day))
  return { filter, days: [...days], hours: others.flatMap(day => hoursBetween(day, day + 86_400_000)) }
}

/** The part of a slice that lies between two moments. */
export function partOf(slice: UsageSlice, fromMs: number, toMs: number): UsageSlice {
  const lies = (start: number) => start >= fromMs && start < toMs
  return { filter: slice.filter, hours: slice.hours.filter(lies), days: slice.days.filter(lies) }
}
