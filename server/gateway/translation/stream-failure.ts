import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'
import type { AttemptFailure } from '#gateway/providers/provider.ts'
import { fromErrorBody, invalidAnswer, type StatusMeant } from '#gateway/providers/upstream-error.ts'

const SERVER_ERROR = 500
const MAX_DETAIL_CHARS = 200

/**
 * What an error means that a package gives within an answer or throws: an error that the upstream put there, with a
 * status of its own, or an answer that is none.
 */
export function fromPackageError(
  error: unknown,
  statusMeant: StatusMeant = status => status,
): AttemptFailure {
  const { statusCode, data, responseBody, message } = members(error)
  const raw = data ?? parse(responseBody) ?? null
  const told = typeof message === 'string' && message !== '' ? { message } : raw
  // An answer that could not be read comes with the status under which it was sent.
  if (typeof statusCode === 'number' && statusCode >= 400) {
    return fromErrorBody(statusMeant(statusCode, raw), told, null)
  }
  // An error without a status of its own is still the upstream's word; what is thrown is the package's.
  if (raw !== null || !(error instanceof Error)) {
    const status = statusWithin(raw ?? error)
    return fromErrorBody(statusMeant(status, raw), told ?? error, null)
  }
  return invalidAnswer(error.message.slice(0, MAX_DETAIL_CHARS))
}

/** Whether the upstream said that it was done. Some packages say `other` of an answer that just ended. */
export function isCompletion({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return unified !== 'error' && unified !== 'interrupted' && (unified !== 'other' || raw !== undefined)
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
