import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
  }
}

const MAX_RETRIES = 2

/** Only what may go better the next time is tried again: a service that was not reached, or that failed. */
function mayRecover(error: ApiError): boolean {
  return error.status === 0 || error.status >= 500
}

export type QueryClientOptions = {
  /** Told when an answer shows that nobody is signed in any more. */
  readonly onSignedOut: () => void
  /** Told of every refusal of what somebody who is signed in may not do. */
  readonly onForbidden: (error: ApiError) => void
}

/** The cache of all that was fetched. */
export function createQueryClient({ onSignedOut, onForbidden }: QueryClientOptions): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: tellRefusal }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < MAX_RETRIES && mayRecover(error),
        // A server that can't be reached is an error to show, not a page that waits without a word.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always', onError: tellRefusal },
    },
  })
  function tellRefusal(error: Error): void {
    if (!(error instanceof ApiError)) return
    if (error.status === 401 && error.type === 'authentication_error') onSignedOut()
    if (error.status === 403) onForbidden(error)
  }
}
