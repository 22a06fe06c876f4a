import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { keysQuery } from '#web/api/admin/keys.ts'
import { usageQuery } from '#web/api/admin/usage.ts'
import { catalogQuery } from '#web/api/discovery.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { GroupTable } from '#web/usage/group-table.tsx'
import { readUsageQuery } from '#web/usage/read-usage-query.ts'
import { UsageFilters } from '#web/usage/usage-filters.tsx'
import { UsageReportView } from '#web/usage/usage-report-view.tsx'
import type { UsageSearch } from '#web/usage/usage-search.ts'
import { UsageSkeleton } from '#web/usage/usage-skeleton.tsx'

export type AccountUsageProps = {
  readonly accountId: string
  readonly search: UsageSearch
  readonly onChange: (next: Partial<UsageSearch>) => void
}

/** What an account used, as its users see it. */
export function AccountUsage({ accountId, search, onChange }: AccountUsageProps) {
  const asked = readUsageQuery(search, new Date())
  const usage = useQuery({
    ...usageQuery({ ...(asked.ok ? asked.query : {}), account_id: accountId }),
    enabled: asked.ok,
    placeholderData: keepPreviousData,
    // Whoever turns to it wants to see what was just sent.
    refetchOnMount: 'always',
  })
  const keys = useQuery(keysQuery({ account_id: accountId })).data?.data ?? []
  const models = useQuery(catalogQuery).data?.data ?? []
  return (
    <>
      <UsageFilters
        search={search}
        span={asked.ok ? asked.span : null}
        models={models.map(({ id }) => ({ value: id, label: id }))}
        keys={keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint})` }))}
        onChange={onChange}
      />
      {!asked.ok && <Notice tone="warn">{asked.problem}</Notice>}
      {asked.ok && usage.isPending && <UsageSkeleton />}
      {asked.ok && <QueryFailure query={usage} title="The usage could not be loaded" />}
      {asked.ok && usage.data?.totals.requests === 0 && (
        <EmptyState title="No requests in this time">
          Look at a longer time, or take a filter away.
        </EmptyState>
      )}
      {asked.ok && usage.data && usage.data.totals.requests > 0 && (
        <>
          <UsageReportView
            report={usage.data}
            measure={search.show ?? 'credits'}
            onMeasure={show => onChange({ show })}
          />
          {usage.data.group_by !== null && <GroupTable report={usage.data} groupedBy={usage.data.group_by} />}
        </>
      )}
    </>
  )
}
