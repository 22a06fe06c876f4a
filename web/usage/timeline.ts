import type { UsageReport } from '#contract/usage-report.ts'
import { DAY, HOUR } from '#web/ui/chart/moments.ts'
import { type ChartPoint, SERIES_COLORS, type Series } from '#web/ui/chart/series.ts'
import type { MeasureView } from './measures.ts'
import { drawnGroups, groupId, groupLabel } from './usage-groups.ts'
import { DAY_MS, HOUR_MS } from './usage-span.ts'

const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** How much earlier the days of a report begin than those of UTC, where only one offset other than 0 is asked for. */
export function offsetOfDays({ from, bucket }: Pick<UsageReport, 'from' | 'bucket'>, hereMs: number): number {
  return bucket === 'hour' || Date.parse(from) % DAY_MS === 0 ? 0 : hereMs
}

export type NameMoment = (startedAt: string, length?: 'short' | 'long') => string

/** Names the hours or days of a report: hours in the reader's own time, days by their dates. */
export function nameMoments({ bucket }: Pick<UsageReport, 'bucket'>, offsetMs: number): NameMoment {
  return (startedAt, length = 'long') => {
    if (bucket === 'hour') return HOUR.format(new Date(startedAt))
    const day = new Date(Date.parse(startedAt) + offsetMs)
    return (length === 'short' ? DAY : DAY_OF_YEAR).format(day)
  }
}

/** When each hour or day of a report began, those without requests too. */
export function listMoments({ from, to, bucket }: Pick<UsageReport, 'from' | 'to' | 'bucket'>): number[] {
  const length = bucket === 'hour' ? HOUR_MS : DAY_MS
  const count = Math.round((Date.parse(to) - Date.parse(from)) / length)
  return Array.from({ length: count }, (_, index) => Date.parse(from) + index * length)
}

export type Drawing = { readonly series: readonly Series[]; readonly points: readonly ChartPoint[] }

/** A report as a chart of one measure draws it: by its groups, or by the parts of the measure. */
export function drawReport(report: UsageReport, view: MeasureView, name: NameMoment): Drawing {
  const byGroup = report.group_by !== null && view.whole !== null
  const readings = byGroup ? groupReadings(report, view.whole) : view.parts
  const rows = Map.groupBy(report.data, row => Date.parse(row.from))
  const isLong = listMoments(report).length > 92
  return {
    series: readings,
    points: listMoments(report).map(startedAt => ({
      label: name(new Date(startedAt).toISOString(), isLong ? 'long' : 'short'),
      values: Object.fromEntries(
        readings.map(({ key, read }) => {
          const values = (rows.get(startedAt) ?? []).map(read).filter(value => value !== undefined)
          const empty = view.addsUp ? 0 : undefined
          return [key, values.length === 0 ? empty : values.reduce((sum, value) => sum + value, 0)]
        }),
      ),
    })),
  }
}

type Row = UsageReport['data'][number]
type GroupReading = Series & { readonly read: (row: Row) => number | undefined }

function groupReadings(report: UsageReport, whole: NonNullable<MeasureView['whole']>): GroupReading[] {
  return drawnGroups(report).map((group, index) => {
    const key = groupId(group)
    return {
      key,
      label: groupLabel(group),
      color: group.others ? 'var(--muted)' : (SERIES_COLORS[index] ?? 'var(--muted)'),
      read: row => (groupId(row) === key ? whole.read(row) : undefined),
    }
  })
}
