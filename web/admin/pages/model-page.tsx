import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { modelQuery } from '#web/api/admin/models.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { QueryFailure } from '../catalog/query-failure.tsx'
import { ModelDetail } from '../models/model-detail.tsx'

const route = getRouteApi('/signed-in/models/$')

export function ModelPage() {
  const { _splat: id = '' } = route.useParams()
  const model = useQuery(modelQuery(id))
  const isMissing = model.error?.status === 404
  return (
    <>
      <Link to="/models" className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
        <ArrowLeft className="size-4" aria-hidden="true" />
        All models
      </Link>
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
