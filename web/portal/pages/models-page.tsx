import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { catalogQuery } from '#web/api/discovery.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { filterModels } from '../models/filter-models.ts'
import { ModelFilters } from '../models/model-filters.tsx'
import { ModelTable } from '../models/model-table.tsx'

const route = getRouteApi('/signed-in/models/')

export function ModelsPage() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const catalog = useQuery(catalogQuery)
  const models = catalog.data?.data ?? []
  const found = filterModels(models, filter)
  return (
    <>
      <PageHeader title="Models">
        What can be asked for, and what it weighs: credits for a million tokens of each kind.
      </PageHeader>
      {catalog.isPending && <SkeletonRows rows={6} label="Loading models" />}
      <QueryFailure query={catalog} title="The catalogue could not be loaded" />
      {catalog.data && models.length === 0 && (
        <EmptyState title="No models yet">The operator of this service has enabled none so far.</EmptyState>
      )}
      {models.length > 0 && (
        <>
          <ModelFilters
            models={models}
            filter={filter}
            onChange={next => void navigate({ search: { ...filter, ...next }, replace: true })}
          />
          <p role="status" className="mb-3 text-sm text-muted">
            {found.length === 1 ? '1 model' : `${found.length} models`}
          </p>
          {found.length === 0 ? (
            <EmptyState title="No model fits">Take a word out of the search, or a filter away.</EmptyState>
          ) : (
            <ModelTable models={found} />
          )}
        </>
      )}
    </>
  )
}
