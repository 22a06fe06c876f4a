import type { AttemptFailure } from '#gateway/providers/provider.ts'
import type { Members } from '#gateway/providers/read-reply.ts'
import { fromErrorInside } from '#gateway/providers/upstream-error.ts'

/** The status that an error of each type has where it comes as an answer of its own: `ErrorType` of Anthropic's SDK 1.11. */
const STATUSES: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

/** An error inside an answer or a stream of Anthropic's Messages: it has a type and no status. */
export function fromMessagesError(body: Members): AttemptFailure {
  const { error } = body
  if (typeof error !== 'object' || error === null || !('type' in error)) return fromErrorInside(body)
  const code = STATUSES.get(error.type)
  return fromErrorInside(code === undefined ? body : { error: { ...error, code } })
}
