import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { catalogEntryQuery } from '#web/api/discovery.ts'
import { BackLink } from '#web/frame/back-link.tsx'
import { buttonClasses } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ModelDetail } from '../models/model-detail.tsx'

const route = getRouteApi('/signed-in/models/$')

export function ModelPage() {
  const { _splat: id = '' } = route.useParams()
  const model = useQuery(catalogEntryQuery(id))
  return (
    <>
      <BackLink to="/models">All models</BackLink>
      {model.isPending && <ModelSkeleton />}
      {model.data && <ModelDetail model={model.data} />}
      {model.error?.status === 404 ? (
        <EmptyState
          title={`There is no model ${id}`}
          isPage
          action={
            <Link to="/models" className={buttonClasses({ look: 'primary' })}>
              See all models
            </Link>
          }
        >
          The operator may have taken it away; what it was asked stays on your records.
        </EmptyState>
      ) : (
        <QueryFailure query={model} title="The model could not be loaded" />
      )}
    </>
  )
}

function ModelSkeleton() {
  return (
    <div role="status" aria-label="Loading the model" className="flex flex-col gap-6">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-28" />
      <Skeleton className="h-48" />
    </div>
  )
}
