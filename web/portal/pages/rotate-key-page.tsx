import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { allKeysQuery } from '#web/api/client/keys.ts'
import { BackLink } from '#web/frame/back-link.tsx'
import { keyState } from '#web/keys/key-state.tsx'
import { buttonClasses } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { QueryFailure } from '#web/ui/query-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Rotation } from '../rotation/rotation.tsx'

const route = getRouteApi('/signed-in/keys/$keyId/rotate')

/** The replacement of a key in three steps, of which the address keeps where one is. */
export function RotateKeyPage() {
  const { keyId } = route.useParams()
  const { to } = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(allKeysQuery)
  const find = (id: string | undefined) => keys.data?.data.find(key => key.id === id)
  const old = find(keyId)
  return (
    <>
      <BackLink to="/keys">All keys</BackLink>
      {keys.isPending && (
        <div role="status" aria-label="Loading the key" className="flex flex-col gap-6">
          <Skeleton className="h-8 w-64" />
          <Skeleton className="h-64" />
        </div>
      )}
      <QueryFailure query={keys} title="The key could not be loaded" />
      {keys.data && (!old || keyState(old) === 'revoked') && (
        <EmptyState
          title={old ? `${old.name} is revoked` : 'There is no such key'}
          isPage
          action={
            <Link to="/keys" className={buttonClasses({ look: 'primary' })}>
              To your keys
            </Link>
          }
        >
          {old ? 'Its place is taken: nothing is left to do.' : 'It may be on a later page of your keys.'}
        </EmptyState>
      )}
      {old && keyState(old) !== 'revoked' && (
        <>
          <PageHeader title={`Rotate ${old.name}`}>
            Replace a key without a request being refused: both work until you revoke the old one.
          </PageHeader>
          <Rotation
            old={old}
            next={find(to)}
            onIssued={key => void navigate({ search: { to: key.id }, replace: true })}
          />
        </>
      )}
    </>
  )
}
