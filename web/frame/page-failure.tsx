import { ApiError } from '#web/api/api-error.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

export type PageFailureProps = { readonly error: unknown; readonly onRetry: () => void }

/** Stands in for a page that could not be shown at all. */
export function PageFailure({ error, onRetry }: PageFailureProps) {
  const isApiError = error instanceof ApiError
  return (
    <div className="mx-auto max-w-2xl px-4 py-10">
      <ErrorState
        title="This page could not be shown"
        requestId={isApiError ? error.requestId : null}
        onRetry={onRetry}
      >
        {isApiError ? error.message : 'Part of the application did not load. Reload the page to get it anew.'}
      </ErrorState>
    </div>
  )
}
