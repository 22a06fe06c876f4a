import { useState } from 'react'
import type { UsageReport, UsageRow } from '#contract/usage-report.ts'
import { Button } from '#web/ui/button.tsx'
import { formatCount } from '#web/ui/numbers.ts'
import { Sideways } from '#web/ui/sideways.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
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
  const [shown, setShown] = useState(ROWS_AT_A_TIME)
  const { group_by: groupedBy, bucket, data } = report
  const columns: readonly Column<UsageRow>[] = [
    { header: bucket === 'hour' ? 'Hour' : 'Day', isName: true, cell: row => name(row.from) },
    ...(groupedBy === null ? [] : [{ header: GROUP_NAMES[groupedBy], cell: groupLabel }]),
    ...view.columns
      .filter(({ isOfAllAlone }) => groupedBy === null || !isOfAllAlone)
      .map(({ header, text }): Column<UsageRow> => ({ header, align: 'end', cell: text })),
  ]
  const rows = data.toReversed()
  const left = rows.length - shown
  return (
    <>
      <Sideways label={`Numbers of ${view.label.toLowerCase()}`}>
        <Table
          caption={`${view.label} by ${bucket}`}
          columns={columns}
          rows={rows.slice(0, shown)}
          rowKey={row => `${row.from} ${groupId(row)}`}
        />
      </Sideways>
      {left > 0 && (
        <div className="mt-4 flex items-center gap-3 text-sm text-muted">
          <Button size="small" onClick={() => setShown(shown + ROWS_AT_A_TIME)}>
            Show more
          </Button>
          {formatCount(left)} earlier
        </div>
      )}
    </>
  )
}
