import type { AttemptCount } from '#storage/watch-tables.ts'
import type { AttemptFailure } from './providers/provider.ts'

const NOT_LET_IN = new Set([401, 402, 403, 407])

/** As what a failed attempt counts in the history of its provider; null where nothing was asked. */
export function attemptCountOf({
  error,
  tryElsewhere,
  wasNotAsked,
  wasUnreachable,
  meantStatus = 0,
}: AttemptFailure): AttemptCount | null {
  if (wasNotAsked) return null
  if (error.type === 'upstream_rate_limited') return 'throttled'
  if (error.type === 'upstream_timeout') return 'timed_out'
  if (NOT_LET_IN.has(meantStatus)) return 'refused'
  if (wasUnreachable) return 'unreachable'
  // What one upstream does not know, such as a model, is tried elsewhere, and still says nothing of its health.
  return tryElsewhere && error.type !== 'invalid_request_error' ? 'failed' : 'rejected'
}
