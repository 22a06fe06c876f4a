import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { allKeysQuery } from '#web/api/client/keys.ts'
import { catalogQuery } from '#web/api/discovery.ts'
import { keyState } from '#web/keys/key-state.tsx'
import { buttonClasses } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Playground } from '../playground/playground.tsx'

const route = getRouteApi('/signed-in/playground')

export function PlaygroundPage() {
  const { model } = route.useSearch()
  const keys = useQuery(allKeysQuery)
  const catalog = useQuery(catalogQuery)
  const usable = keys.data?.data.filter(key => keyState(key) === 'active') ?? []
  const models = catalog.data?.data.filter(entry => entry.endpoints.includes('chat')) ?? []
  const failed = keys.isError ? keys : catalog.isError ? catalog : null
  return (
    <>
      <PageHeader title="Playground">
        Chat with a model under the limits of one of your keys. It is charged like every other request.
      </PageHeader>
      {failed?.error && (
        <ErrorState
          title="The playground could not be loaded"
          requestId={failed.error.requestId}
          onRetry={() => void Promise.all([keys.refetch(), catalog.refetch()])}
          retrying={failed.isFetching}
        >
          {failed.error.message}
        </ErrorState>
      )}
      {!failed && (keys.isPending || catalog.isPending) && (
        <div
          role="status"
          aria-label="Loading the playground"
          className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
        >
          <Skeleton className="h-[32rem]" />
          <Skeleton className="h-72" />
        </div>
      )}
      {keys.data && usable.length === 0 && (
        <EmptyState
          title="The playground needs a key"
          action={
            <Link to="/keys" className={buttonClasses({ look: 'primary' })}>
              Make a key
            </Link>
          }
        >
          Its limits are those of the key that you choose.
        </EmptyState>
      )}
      {catalog.data && usable.length > 0 && models.length === 0 && (
        <EmptyState title="No model to chat with">
          The operator of this service has enabled none so far.
        </EmptyState>
      )}
      {usable.length > 0 && models.length > 0 && (
        <Playground keys={usable} models={models} firstModel={model} />
      )}
    </>
  )
}
