import type { ReactNode } from 'react'
import type { UsageGroup, UsageReport } from '#contract/usage-report.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { formatCount, formatDuration, formatShare } from '#web/ui/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Sideways } from '#web/ui/sideways.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { GROUP_NAMES, type GroupedBy, groupId, groupLabel } from './usage-groups.ts'

export type GroupTableProps = {
  readonly report: UsageReport
  readonly groupedBy: GroupedBy
  /** A group's name, as a link to more of it where there is any. */
  readonly nameOf?: (group: UsageGroup, label: string) => ReactNode
}

const FIGURES: readonly Column<UsageGroup>[] = [
  { header: 'Credits', align: 'end', cell: group => formatCredits(group.credits) },
  { header: 'Requests', align: 'end', cell: group => formatCount(group.requests) },
  { header: 'Errors', align: 'end', cell: group => formatShare(group.failed, group.requests) },
  { header: 'Input', align: 'end', cell: group => formatCount(group.usage.input) },
  { header: 'Cache read', align: 'end', cell: group => formatCount(group.usage.cache_read) },
  { header: 'Cache write', align: 'end', cell: group => formatCount(group.usage.cache_write) },
  { header: 'Output', align: 'end', cell: group => formatCount(group.usage.output) },
  { header: 'Latency', align: 'end', cell: group => formatDuration(group.latency_ms?.p50 ?? null) },
  {
    header: 'First token',
    align: 'end',
    cell: group => formatDuration(group.time_to_first_token_ms?.p50 ?? null),
  },
]

/** All groups of a report over the whole of its span, the most expensive first. */
export function GroupTable({ report, groupedBy, nameOf = (_group, label) => label }: GroupTableProps) {
  const name = GROUP_NAMES[groupedBy]
  const columns: readonly Column<UsageGroup>[] = [
    {
      header: name,
      isName: true,
      className: 'sm:min-w-40 break-words',
      cell: group => nameOf(group, groupLabel(group)),
    },
    ...FIGURES,
  ]
  return (
    <Panel title={`By ${name.toLowerCase()}`} className="mt-6">
      <Sideways label={`Table by ${name.toLowerCase()}`}>
        <Table
          caption={`Usage by ${name.toLowerCase()}; latency and first token are medians`}
          columns={columns}
          rows={report.groups}
          rowKey={groupId}
        />
      </Sideways>
    </Panel>
  )
}
