import { useState } from 'react'
import type { HealthFigures, ProviderHealth } from '#contract/provider-health.ts'
import { Button } from '#web/ui/button.tsx'
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
  const [shown, setShown] = useState(ROWS_AT_A_TIME)
  const { header, format } = STEPS[bucket]
  const columns: readonly Column<ProviderHealth['data'][number]>[] = [
    { header, isName: true, cell: row => format.format(new Date(row.from)) },
    ...FIGURES,
  ]
  const left = data.length - shown
  return (
    <>
      <Sideways label={`Numbers of ${title.toLowerCase()}`}>
        <Table
          caption={title}
          columns={columns}
          rows={data.toReversed().slice(0, shown)}
          rowKey={row => row.from}
        />
      </Sideways>
      {left > 0 && (
        <div className="flex items-center gap-3 text-sm text-muted">
          <Button size="small" onClick={() => setShown(shown + ROWS_AT_A_TIME)}>
            Show more
          </Button>
          {formatCount(left)} earlier
        </div>
      )}
    </>
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
