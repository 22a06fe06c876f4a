import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { requestDetailQuery } from '#web/api/client/requests.ts'
import { BackLink } from '#web/frame/back-link.tsx'
import { buttonClasses } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { RequestDetail } from '../requests/request-detail.tsx'

const route = getRouteApi('/signed-in/requests/$requestId')

export function RequestPage() {
  const { requestId } = route.useParams()
  const request = useQuery(requestDetailQuery(requestId))
  return (
    <>
      <BackLink to="/requests">All requests</BackLink>
      {request.isPending && (
        <div role="status" aria-label="Loading the request" className="flex flex-col gap-6">
          <Skeleton className="h-8 w-48" />
          <Skeleton className="h-80" />
        </div>
      )}
      {request.data && <RequestDetail request={request.data} />}
      {request.error?.status === 404 ? (
        <EmptyState
          title="There is no such request"
          isPage
          action={
            <Link to="/requests" className={buttonClasses({ look: 'primary' })}>
              See all requests
            </Link>
          }
        >
          It may still be running, or be older than single requests are kept.
        </EmptyState>
      ) : (
        <QueryFailure query={request} title="The request could not be loaded" />
      )}
    </>
  )
}
