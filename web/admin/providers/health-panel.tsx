import { useQuery } from '@tanstack/react-query'
import type { UsageReport } from '#contract/usage-report.ts'
import type { Provider } from '#web/api/admin/providers.ts'
import { usageQuery } from '#web/api/admin/usage.ts'
import { formatCount, formatDuration, formatShare } from '#web/ui/numbers.ts'
import { Panel } from '#web/ui/panel.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stat } from '#web/ui/stat.tsx'

/** How a provider did over the last day, by the requests that it had the last word on. */
export function HealthPanel({ provider }: { readonly provider: Provider }) {
  const usage = useQuery(usageQuery({ bucket: 'hour', provider: provider.name }))
  return (
    <Panel title="Last 24 hours">
      {usage.isPending && (
        <div role="status" aria-label="Loading traffic">
          <Skeleton className="h-32" />
        </div>
      )}
      <QueryFailure query={usage} title="Traffic could not be loaded" />
      {usage.data && <Figures report={usage.data} />}
    </Panel>
  )
}

function Figures({ report: { totals, data } }: { readonly report: UsageReport }) {
  const { requests, failures, latency_ms: latency } = totals
  const throttledHours = data.filter(row => row.failures.throttled > 0).length
  if (requests === 0) return <p className="text-sm text-muted">Nothing was asked of it.</p>
  return (
    <dl className="grid grid-cols-2 gap-5">
      <Stat label="Requests">{formatCount(requests)}</Stat>
      <Stat
        label="Half were done within"
        note={latency === null ? 'none succeeded' : `19 of 20 within ${formatDuration(latency.p95)}`}
      >
        {formatDuration(latency?.p50 ?? null)}
      </Stat>
      <Stat label="Throttled" note={throttledHours === 0 ? 'in no hour' : `in ${throttledHours} of 24 hours`}>
        {formatCount(failures.throttled)}
      </Stat>
      <Stat
        label="Failed or too slow"
        note={`${formatShare(failures.upstream + failures.timeout, requests)} of all`}
      >
        {formatCount(failures.upstream + failures.timeout)}
      </Stat>
    </dl>
  )
}
