import { refusals, type ServiceError } from '#contract/errors.ts'
import type { SentMember } from './engine.ts'

/** Thrown in the place of sending: the package has left out what the caller asked for. */
class LeftOut extends Error {
  readonly field: string

  constructor(field: string) {
    super(`${field} would not be sent`)
    this.field = field
  }
}

/** Makes sure that the members are in the body before it is sent; in text, a quote has a backslash before it. */
export function requireMembers(body: Buffer, members: readonly SentMember[]): void {
  for (const { anyOf, field } of members) {
    if (!anyOf.some(json => body.includes(json))) throw new LeftOut(field)
  }
}

/**
 * The refusal that an error stands for which was thrown before anything was sent: the package, or we in its place, can't
 * say the call to the upstream. null for any other error. `promptField` is the caller's name for its messages.
 */
export function refusalBeforeSending(error: unknown, promptField: string): ServiceError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof LeftOut) {
      return refusals.notCarriedOver(cause.field, 'the model of this upstream takes no such setting')
    }
    if (cause.name === 'AI_UnsupportedFunctionalityError' || cause.name === 'AI_InvalidPromptError') {
      return refusals.notCarriedOver(promptField, cause.message)
    }
  }
  return null
}
