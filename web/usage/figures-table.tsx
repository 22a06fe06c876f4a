import type { UsageReport, UsageRow } from '#contract/usage-report.ts'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import type { Column } from '#web/ui/table.tsx'
import type { MeasureView } from './measures.ts'
import type { NameMoment } from './timeline.ts'
import { GROUP_NAMES, groupId, groupLabel } from './usage-groups.ts'

const ROWS_AT_A_TIME = 30

export type FiguresTableProps = {
  readonly report: UsageReport
  readonly view: MeasureView
  readonly name: NameMoment
}

/** What a chart draws, in exact numbers, the latest first; hours and days without requests are left out. */
export function FiguresTable({ report, view, name }: FiguresTableProps) {
  const { group_by: groupedBy, bucket, data } = report
  const columns: readonly Column<UsageRow>[] = [
    { header: bucket === 'hour' ? 'Hour' : 'Day', isName: true, cell: row => name(row.from) },
    ...(groupedBy === null ? [] : [{ header: GROUP_NAMES[groupedBy], cell: groupLabel }]),
    ...view.columns
      .filter(({ isOfAllAlone }) => groupedBy === null || !isOfAllAlone)
      .map(({ header, text }): Column<UsageRow> => ({ header, align: 'end', cell: text })),
  ]
  return (
    <ChartTable
      of={view.label.toLowerCase()}
      caption={`${view.label} by ${bucket}`}
      columns={columns}
      rows={data}
      rowKey={row => `${row.from} ${groupId(row)}`}
      rowsAtATime={ROWS_AT_A_TIME}
    />
  )
}
