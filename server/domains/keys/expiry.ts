import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'

/** The moment that an `expires_at` names, null for never; refused when it has passed, or is none. */
export function readExpiry(text: string | null, nowMs: number): Outcome<number | null, ServiceError> {
  if (text === null) return accepted(null)
  const expiresAt = Date.parse(text)
  if (Number.isNaN(expiresAt)) return refused(refusals.invalid('expires_at: is no moment in time'))
  if (expiresAt <= nowMs) return refused(refusals.invalid('expires_at: must be in the future'))
  return accepted(expiresAt)
}
