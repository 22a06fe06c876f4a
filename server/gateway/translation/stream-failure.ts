import type { AttemptFailure } from '#gateway/providers/provider.ts'
import { fromErrorBody, invalidAnswer, type StatusMeant } from '#gateway/providers/upstream-error.ts'

const SERVER_ERROR = 500

/**
 * What an error means that a package gives within an answer or throws: an error that the upstream put there, with a
 * status of its own, or an answer that is none.
 */
export function fromPackageError(
  error: unknown,
  statusMeant: StatusMeant = status => status,
): AttemptFailure {
  const { statusCode, data, responseBody, message } = members(error)
  // An answer that could not be read comes with the status under which it was sent.
  const isUpstreamError = typeof statusCode === 'number' && statusCode >= 400
  const body = data ?? parse(responseBody) ?? (message === undefined ? null : { message })
  if (isUpstreamError) return fromErrorBody(statusMeant(statusCode, body), body, null)
  if (data !== undefined && data !== null) {
    const status = statusWithin(data)
    return fromErrorBody(statusMeant(status, data), data, null)
  }
  return invalidAnswer(typeof message === 'string' ? message.slice(0, 200) : 'an error within the answer')
}

type Members = Readonly<Record<string, unknown>>

function members(value: unknown): Members {
  // Any object can be read by name; what is found there is checked at each use.
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

/** Some upstreams put the status that they mean into the code of the error. */
function statusWithin(body: unknown): number {
  const { code } = members(members(body).error ?? body)
  return typeof code === 'number' && code >= 400 && code <= 599 ? code : SERVER_ERROR
}

function parse(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
