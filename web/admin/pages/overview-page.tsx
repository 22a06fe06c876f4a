import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '#web/api/admin/usage.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatCount } from '#web/ui/numbers.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stat } from '#web/ui/stat.tsx'

export function OverviewPage() {
  const usage = useQuery(usageQuery({ bucket: 'hour' }))
  return (
    <>
      <PageHeader title="Overview" />
      <Panel title="Last 24 hours">
        {usage.isPending && (
          <div role="status" aria-label="Loading traffic">
            <Skeleton className="h-14" />
          </div>
        )}
        {usage.isError && (
          <ErrorState
            title="Traffic could not be loaded"
            requestId={usage.error.requestId}
            onRetry={() => void usage.refetch()}
            retrying={usage.isFetching}
          >
            {usage.error.message}
          </ErrorState>
        )}
        {usage.data && (
          <dl className="grid gap-6 sm:grid-cols-3">
            <Stat label="Requests">{formatCount(usage.data.totals.requests)}</Stat>
            <Stat label="Failed">{formatCount(usage.data.totals.failed)}</Stat>
            <Stat label="Credits used">{formatCredits(usage.data.totals.credits)}</Stat>
          </dl>
        )}
      </Panel>
    </>
  )
}
