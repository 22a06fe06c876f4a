import { ErrorState } from './error-state.tsx'

/** What is read of a query: as `useQuery` gives it, though nothing here asks for anything. */
export type QueryState = {
  readonly isError: boolean
  readonly error: { readonly message: string; readonly requestId: string | null } | null
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

export type QueryFailureProps = { readonly query: QueryState; readonly title: string }

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
