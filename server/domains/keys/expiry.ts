import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

/** RFC 3339 has four digits for a year, and an offset can push the last day of the last one over the edge. */
const LAST_MOMENT_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** The moment that an `expires_at` names, null for never; refused when it has passed, is none, or can't be shown. */
export function readExpiry(text: string | null, nowMs: number): Outcome<number | null, ServiceError> {
  if (text === null) return accepted(null)
  const expiresAt = Date.parse(text)
  if (Number.isNaN(expiresAt)) return refused(refusals.invalid('expires_at: is no moment in time'))
  if (expiresAt <= nowMs) return refused(refusals.invalid('expires_at: must be in the future'))
  if (expiresAt > LAST_MOMENT_MS)
    return refused(refusals.invalid('expires_at: must be before the year 10000'))
  return accepted(expiresAt)
}
