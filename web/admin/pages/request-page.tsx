import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { requestDetailQuery } from '#web/api/admin/requests.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { QueryFailure } from '../catalog/query-failure.tsx'
import { RequestStory } from '../requests/request-story.tsx'

const route = getRouteApi('/signed-in/requests/$requestId')

export function RequestPage() {
  const { requestId } = route.useParams()
  const request = useQuery(requestDetailQuery(requestId))
  const isMissing = request.error?.status === 404
  return (
    <>
      <Link
        to="/requests"
        className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
        All requests
      </Link>
      {request.isPending && (
        <div role="status" aria-label="Loading the request" className="flex flex-col gap-6">
          <Skeleton className="h-8 w-48" />
          <Skeleton className="h-80" />
        </div>
      )}
      {isMissing && (
        <EmptyState title="There is no such request" isPage>
          It may still be running, or be older than single requests are kept.
        </EmptyState>
      )}
      {!isMissing && <QueryFailure query={request} title="The request could not be loaded" />}
      {request.data && <RequestStory request={request.data} />}
    </>
  )
}
