import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorState } from '#web/ui/error-state.tsx'

export type QueryFailureProps = {
  readonly query: Pick<UseQueryResult, 'error' | 'isError' | 'isFetching' | 'refetch'>
  readonly title: string
}

/** Stands where the answer of a query should be; nothing while it has not failed. */
export function QueryFailure({ query, title }: QueryFailureProps) {
  if (!query.isError || !query.error) return null
  return (
    <ErrorState
      title={title}
      requestId={query.error.requestId}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    >
      {query.error.message}
    </ErrorState>
  )
}
