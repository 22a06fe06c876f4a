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

/** The cache of all that was fetched. `onSignedOut` is told when an answer shows that nobody is signed in any more. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: tellSignedOut }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < MAX_RETRIES && mayRecover(error),
        // A server that can't be reached is an error to show, not a page that waits without a word.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always', onError: tellSignedOut },
    },
  })
  function tellSignedOut(error: Error): void {
    if (error instanceof ApiError && error.status === 401 && error.type === 'authentication_error')
      onSignedOut()
  }
  return client
}
