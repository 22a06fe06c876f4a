import { DatabaseError } from 'pg'
import { StorageUnavailable } from '../storage.ts'
import { UnbindableValue } from './parameters.ts'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = '23505'
const REFERENCE_VIOLATIONS: ReadonlySet<string> = new Set(['23503', '23001'])
/** A serialisation failure, a deadlock, a lock that was not to be had: another try may well succeed. */
const PASSING: ReadonlySet<string> = new Set(['40001', '40P01', '55P03'])
/**
 * Classes of errors that the values are to blame for: what they are, or what rule they break. They would be refused
 * again. All others are of the server's state, from a lost connection over a full disk to a table that has changed.
 */
const CLASSES_OF_THE_VALUES: ReadonlySet<string> = new Set(['21', '22', '23', 'P0'])

/** What the server said to one statement; null when it did not get to say anything. */
function findRefusal(error: unknown): DatabaseError | null {
  if (error instanceof StorageUnavailable) return findRefusal(error.cause)
  return error instanceof DatabaseError ? error : null
}

/** Whether the same would be refused again, however often it is sent. */
export function isRefusedForGood(error: unknown): boolean {
  return isUnbindable(error) || CLASSES_OF_THE_VALUES.has(findRefusal(error)?.code?.slice(0, 2) ?? '')
}

function isUnbindable(error: unknown): boolean {
  return (
    error instanceof UnbindableValue || (error instanceof StorageUnavailable && isUnbindable(error.cause))
  )
}

export function isPassing(error: unknown): boolean {
  return PASSING.has(findRefusal(error)?.code ?? '')
}

export function isDuplicate(error: unknown): error is DatabaseError {
  return findRefusal(error)?.code === UNIQUE_VIOLATION
}

export function isReference(error: unknown): boolean {
  return REFERENCE_VIOLATIONS.has(findRefusal(error)?.code ?? '')
}

/** Whether the connection can't be used any more: the server had no part in the error, or said that it ends it. */
export function hasLostConnection(error: unknown): boolean {
  if (isUnbindable(error)) return false
  const code = findRefusal(error)?.code
  // 57P: the server shuts down or starts; 25P03: this process was away too long in the middle of a transaction.
  return code === undefined || /^(08|57P|25P03)/.test(code)
}

/** What callers are told of whatever went wrong. */
export function toUnavailable(error: unknown): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error
  return new StorageUnavailable(reasonOf(error), { cause: error })
}

/** In words; where a name has several addresses and none answers, the error about them has none of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
