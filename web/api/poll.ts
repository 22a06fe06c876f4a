import type { Query } from '@tanstack/react-query'
import type { ApiError } from './api-error.ts'

/** A service that fails is asked again this seldom. */
const FAILING_MS = 30_000

/**
 * How often a query asks again while its page is seen: a hidden page does not ask at all, and a service that fails is not
 * made worse.
 */
export function pollEvery(everyMs: number) {
  // biome-ignore lint/suspicious/noExplicitAny: a query of any data, which nothing here looks at
  return ({ state }: Query<any, ApiError, any, any>) => (state.status === 'error' ? FAILING_MS : everyMs)
}
