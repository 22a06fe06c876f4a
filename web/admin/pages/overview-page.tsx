import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { overviewQuery } from '#web/api/admin/overview.ts'
import { usageQuery } from '#web/api/admin/usage.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { GroupTable } from '#web/usage/group-table.tsx'
import { UsageReportView } from '#web/usage/usage-report-view.tsx'
import { concernsOf } from '../overview/attention.ts'
import { AttentionList } from '../overview/attention-list.tsx'
import { NodesPanel } from '../overview/nodes-panel.tsx'
import { FailuresPanel, MoneyPanel, NowPanel } from '../overview/service-panels.tsx'
import { OVERVIEW_RANGES, type OverviewRange, spanOf } from '../overview/span-of.ts'

const route = getRouteApi('/signed-in/')

const RANGES = [
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
]

/** How the service is: what needs attention first, then traffic, money, and each provider. */
export function OverviewPage() {
  const { range = '24h', show = 'requests' } = route.useSearch()
  const navigate = route.useNavigate()
  const { overview, usage, byProvider } = useService(range)
  return (
    <>
      <PageHeader
        title="Overview"
        action={
          <div className="w-44">
            <SelectField
              label="Time"
              hideLabel
              choices={RANGES}
              value={range}
              onValueChange={next => {
                const chosen = OVERVIEW_RANGES.find(value => value === next)
                void navigate({ search: { range: chosen, show }, replace: true })
              }}
            />
          </div>
        }
      />
      <div className="flex flex-col gap-6">
        <QueryFailure query={overview} title="The state of the service could not be loaded" />
        <QueryFailure query={usage} title="Traffic could not be loaded" />
        {(overview.isPending || usage.isPending) && <OverviewSkeleton />}
        {overview.data && usage.data && (
          <>
            <AttentionList concerns={concernsOf(overview.data, usage.data.totals)} />
            {usage.data.totals.requests === 0 ? (
              <EmptyState title="No requests in this time">
                They are counted here a moment after they end.
              </EmptyState>
            ) : (
              <UsageReportView
                report={usage.data}
                measure={show}
                onMeasure={next =>
                  void navigate({ search: { range, show: next }, replace: true, resetScroll: false })
                }
              />
            )}
            <div className="grid gap-6 lg:grid-cols-3">
              <NowPanel overview={overview.data} />
              <MoneyPanel overview={overview.data} />
              <FailuresPanel totals={usage.data.totals} />
            </div>
            <NodesPanel nodes={overview.data.nodes} />
          </>
        )}
        {byProvider.data && byProvider.data.totals.requests > 0 && (
          <div className="-mt-6">
            <GroupTable report={byProvider.data} groupedBy="provider" />
          </div>
        )}
      </div>
    </>
  )
}

/** The state of the service, its traffic over time, and that of each provider. */
function useService(range: OverviewRange) {
  const span = spanOf(range, Date.now())
  const kept = { placeholderData: keepPreviousData }
  const overview = useQuery({ ...overviewQuery(span), ...kept })
  const usage = useQuery({
    ...usageQuery({ ...span, bucket: range === '24h' ? 'hour' : 'day' }),
    ...kept,
  })
  const byProvider = useQuery({
    ...usageQuery({ ...span, bucket: range === '24h' ? 'hour' : 'day', group_by: 'provider', top: 1 }),
    ...kept,
  })
  return { overview, usage, byProvider }
}

function OverviewSkeleton() {
  return (
    <div role="status" aria-label="Loading the overview" className="flex flex-col gap-6">
      <Skeleton className="h-6 w-72" />
      <Skeleton className="h-124" />
      <Skeleton className="h-56" />
    </div>
  )
}
