import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { requestDetailQuery } from '#web/api/admin/requests.ts'
import { BackLink } from '#web/frame/back-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { RequestStory } from '../requests/request-story.tsx'

const route = getRouteApi('/signed-in/requests/$requestId')

export function RequestPage() {
  const { requestId } = route.useParams()
  const request = useQuery(requestDetailQuery(requestId))
  const isMissing = request.error?.status === 404
  return (
    <>
      <BackLink to="/requests">All requests</BackLink>
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
