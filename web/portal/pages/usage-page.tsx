import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { allKeysQuery } from '#web/api/client/keys.ts'
import { usageCsvAddress, usageQuery } from '#web/api/client/usage.ts'
import { catalogQuery } from '#web/api/discovery.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { readUsageQuery } from '#web/usage/read-usage-query.ts'
import { UsageFilters } from '#web/usage/usage-filters.tsx'
import type { UsageSearch } from '#web/usage/usage-search.ts'
import { UsageSkeleton } from '#web/usage/usage-skeleton.tsx'
import { UsageBody } from '../usage/usage-body.tsx'
import { keyChoices, modelChoices } from '../usage/usage-choices.ts'

const route = getRouteApi('/signed-in/usage')

/** What the account used, over the time and by what the address says. */
export function UsagePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const asked = readUsageQuery(search, new Date())
  const usage = useQuery({
    ...usageQuery(asked.ok ? asked.query : {}),
    enabled: asked.ok,
    placeholderData: keepPreviousData,
  })
  const keys = useQuery(allKeysQuery).data?.data ?? []
  const models = useQuery(catalogQuery).data?.data ?? []
  const change = (next: Partial<UsageSearch>) =>
    void navigate({ search: { ...search, ...next }, replace: true, resetScroll: false })
  return (
    <>
      <PageHeader
        title="Usage"
        action={
          asked.ok && (
            <a href={usageCsvAddress(asked.query)} download className={buttonClasses()}>
              <Download className="size-4" aria-hidden="true" />
              Export CSV
            </a>
          )
        }
      >
        What your requests came to, over any time.
      </PageHeader>
      <UsageFilters
        search={search}
        span={asked.ok ? asked.span : null}
        models={modelChoices(models, search.model)}
        keys={keyChoices(keys, search.key)}
        onChange={change}
      />
      {!asked.ok && <Notice tone="warn">{asked.problem}</Notice>}
      {asked.ok && usage.isPending && <UsageSkeleton />}
      {asked.ok && <QueryFailure query={usage} title="Your usage could not be loaded" />}
      {asked.ok && usage.data && !usage.isError && (
        <UsageBody report={usage.data} search={search} onChange={change} isStale={usage.isPlaceholderData} />
      )}
    </>
  )
}
