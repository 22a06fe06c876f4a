import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProviderHealth } from '#contract/provider-health.ts'
import { type Provider, providerHealthQuery } from '#web/api/admin/providers.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { formatCount, formatShare, formatShortCount } from '#web/ui/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stat } from '#web/ui/stat.tsx'
import { countFailures, drawHistory, FAILURE_SERIES, formatRest, STEPS } from './history-figures.ts'
import { HISTORY_RANGES, type HistoryRange, historySpan } from './history-span.ts'
import { HistoryModels, HistoryTable } from './history-table.tsx'

const RANGES = [
  { value: '3h', label: 'Last 3 hours' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
]

/** How the attempts at a provider ended, and how often it was left alone, over time. */
export function HistoryPanel({ provider }: { readonly provider: Provider }) {
  const [range, setRange] = useState<HistoryRange>('24h')
  const health = useQuery({
    ...providerHealthQuery(provider.id, historySpan(range, Date.now())),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel
      title="Health and throttling"
      className="lg:col-span-2"
      action={
        <div className="w-44">
          <SelectField
            label="Time of the history"
            hideLabel
            choices={RANGES}
            value={range}
            onValueChange={next => setRange(HISTORY_RANGES.find(value => value === next) ?? '24h')}
          />
        </div>
      }
    >
      {health.isPending && (
        <div role="status" aria-label="Loading the history">
          <Skeleton className="h-96" />
        </div>
      )}
      <QueryFailure query={health} title="The history could not be loaded" />
      {health.data && <History health={health.data} />}
    </Panel>
  )
}

function History({ health }: { readonly health: ProviderHealth }) {
  const { totals, bucket } = health
  if (totals.attempts === 0 && totals.rests === 0)
    return <p className="text-sm text-muted">Nothing was asked of it in this time.</p>
  const failed = countFailures(totals)
  const title = `Failed attempts by kind, ${STEPS[bucket].by}`
  return (
    <div className="flex flex-col gap-8">
      <dl className="grid grid-cols-2 gap-5 lg:grid-cols-4">
        <Stat label="Attempts" note="a request tried twice is two">
          {formatCount(totals.attempts)}
        </Stat>
        <Stat label="Failed" note={`${formatShare(failed, totals.attempts)} of them`}>
          {formatCount(failed)}
        </Stat>
        <Stat label="Throttled" note={`${formatShare(totals.failures.throttled, totals.attempts)} of them`}>
          {formatCount(totals.failures.throttled)}
        </Stat>
        <Stat
          label="Left alone"
          note={
            totals.rests === 0
              ? 'it never had to be'
              : `for ${formatRest(totals.rest_seconds)} in all, back ${times(totals.recoveries)}`
          }
        >
          {times(totals.rests)}
        </Stat>
      </dl>
      <Chart
        title={title}
        kind="bars"
        series={FAILURE_SERIES}
        points={drawHistory(health)}
        formatTick={formatShortCount}
        formatValue={formatCount}
        table={<HistoryTable key={health.from} health={health} title={title} />}
      />
      {health.models.length > 1 && <HistoryModels health={health} />}
      {bucket === 'day' && <p className="-mt-5 text-xs text-muted">Days begin at midnight in UTC.</p>}
    </div>
  )
}

function times(count: number): string {
  return count === 1 ? 'once' : `${formatCount(count)} times`
}
