import type { HealthFigures, ProviderHealth } from '#contract/provider-health.ts'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { formatCount, formatShare } from '#web/ui/numbers.ts'
import { Sideways } from '#web/ui/sideways.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { countFailures, FAILURE_SERIES, formatRest, STEPS } from './history-figures.ts'

const ROWS_AT_A_TIME = 24

const FIGURES: readonly Column<HealthFigures>[] = [
  { header: 'Attempts', align: 'end', cell: row => formatCount(row.attempts) },
  { header: 'Failed', align: 'end', cell: row => formatShare(countFailures(row), row.attempts) },
  ...FAILURE_SERIES.map(
    ({ key, label }): Column<HealthFigures> => ({
      header: label,
      align: 'end',
      cell: row => formatCount(row.failures[key]),
    }),
  ),
  {
    header: 'Left alone',
    align: 'end',
    cell: row =>
      row.rests === 0 ? '–' : `${formatCount(row.rests)} × ${formatRest(row.rest_seconds / row.rests)}`,
  },
]

export type HistoryTableProps = { readonly health: ProviderHealth; readonly title: string }

/** What the chart draws, in exact numbers, the latest first; steps without attempts are left out. */
export function HistoryTable({ health: { bucket, data }, title }: HistoryTableProps) {
  const { header, format } = STEPS[bucket]
  const columns: readonly Column<ProviderHealth['data'][number]>[] = [
    { header, isName: true, cell: row => format.format(new Date(row.from)) },
    ...FIGURES,
  ]
  return (
    <ChartTable
      of={title.toLowerCase()}
      caption={title}
      columns={columns}
      rows={data}
      rowKey={row => row.from}
      rowsAtATime={ROWS_AT_A_TIME}
    />
  )
}

/** The same by the provider's models. */
export function HistoryModels({ health: { models } }: { readonly health: ProviderHealth }) {
  const columns: readonly Column<ProviderHealth['models'][number]>[] = [
    { header: 'Model there', isName: true, cell: row => row.upstream_model, className: 'wrap-anywhere' },
    ...FIGURES,
  ]
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <h3 className="text-base font-semibold">By model</h3>
      <Sideways label="Attempts by model">
        <Table
          caption="Attempts by model"
          columns={columns}
          rows={models}
          rowKey={row => row.upstream_model}
        />
      </Sideways>
    </div>
  )
}
