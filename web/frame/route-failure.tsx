import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiError } from '#web/api/api-error.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

/** Stands in for a page that could not be shown at all; another try asks for all that it is made of again. */
export function RouteFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const isApiError = error instanceof ApiError
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <div className="mx-auto max-w-2xl px-4 py-10">
      <ErrorState
        title="This page could not be shown"
        requestId={isApiError ? error.requestId : null}
        onRetry={retry}
      >
        {isApiError ? error.message : 'Part of the application did not load. Reload the page to get it anew.'}
      </ErrorState>
    </div>
  )
}
