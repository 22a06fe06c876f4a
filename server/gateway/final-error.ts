import { refusals, type ServiceError } from '#contract/errors.ts'
import type { AttemptFailure } from './providers/provider.ts'

/**
 * What the client is told when no route answered: the last failure, or when to come back if all were throttled.
 * `restSeconds`: until the soonest of the routes that were not even asked, since they had named a time; null: none.
 */
export function finalError(all: readonly AttemptFailure[], restSeconds: number | null): ServiceError {
  // That one upstream can't be told something matters only where no other failed otherwise.
  const asked = all.filter(failure => !failure.wasNotAsked)
  const failures = asked.length > 0 || restSeconds !== null ? asked : all
  const last = failures.at(-1)
  if (!last && restSeconds === null) return refusals.unavailable('No upstream serves this model right now')
  if (last && !failures.every(failure => failure.error.type === 'upstream_rate_limited')) return last.error
  const waits = failures.flatMap(failure => {
    const seconds = failure.error.headers?.['retry-after']
    return seconds === undefined ? [] : [Number(seconds)]
  })
  if (restSeconds !== null) waits.push(restSeconds)
  return refusals.upstreamThrottled(waits.length === 0 ? null : Math.min(...waits))
}
