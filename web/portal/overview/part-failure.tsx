import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorState } from '#web/ui/error-state.tsx'

export type PartFailureProps = {
  readonly title: string
  readonly query: Pick<UseQueryResult<unknown>, 'error' | 'isFetching' | 'refetch'>
}

/** Stands in for a part of a page that could not be loaded; the rest of the page stays. */
export function PartFailure({ title, query: { error, isFetching, refetch } }: PartFailureProps) {
  if (error === null) return null
  return (
    <ErrorState
      title={title}
      requestId={error.requestId}
      onRetry={() => void refetch()}
      retrying={isFetching}
    >
      {error.message}
    </ErrorState>
  )
}
