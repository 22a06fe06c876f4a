import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { modelQuery } from '#web/api/admin/models.ts'
import { BackLink } from '#web/frame/back-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ModelDetail } from '../models/model-detail.tsx'

const route = getRouteApi('/signed-in/models/$')

export function ModelPage() {
  const { _splat: id = '' } = route.useParams()
  const model = useQuery(modelQuery(id))
  const isMissing = model.error?.status === 404
  return (
    <>
      <BackLink to="/models">All models</BackLink>
      {model.isPending && (
        <div role="status" aria-label="Loading the model" className="flex flex-col gap-6">
          <Skeleton className="h-8 w-64" />
          <Skeleton className="h-64" />
        </div>
      )}
      {isMissing && (
        <EmptyState title={`There is no model ${id}`} isPage>
          It may have been taken away.
        </EmptyState>
      )}
      {!isMissing && <QueryFailure query={model} title="The model could not be loaded" />}
      {model.data && <ModelDetail model={model.data} />}
    </>
  )
}
