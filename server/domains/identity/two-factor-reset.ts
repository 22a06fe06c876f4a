import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import type { People, Subject } from './people.ts'
import type { Sessions } from './sessions.ts'
import type { TwoFactor } from './two-factor.ts'

/**
 * Takes the second factor of somebody away who has lost it, and ends all their sessions: by the operator, who has made
 * sure that it is them. 404 nobody, or nobody with a second factor.
 */
export type ResetTwoFactor = (subject: Subject, actor: Actor) => Promise<Outcome<null, ServiceError>>

export type ResetTwoFactorParts = {
  readonly storage: Storage
  readonly people: People
  readonly sessions: Sessions
  readonly twoFactor: Pick<TwoFactor, 'remove' | 'status'>
  readonly audit: Audit
}

export function createResetTwoFactor(parts: ResetTwoFactorParts): ResetTwoFactor {
  const { storage, people, sessions, twoFactor, audit } = parts
  return async (subject, actor) => {
    const person = await people.find(subject)
    if (!person) return refused(refusals.notFound('No such person'))
    const { enabled } = await twoFactor.status(subject)
    if (!enabled) return refused(refusals.notFound('There is no second factor'))
    const type = subject.realm === 'client' ? 'user' : 'administrator'
    await storage.commit([
      ...twoFactor.remove(subject),
      ...sessions.endAll(subject),
      audit.entry({ actor, action: `${type}.reset_two_factor`, target: { type, id: subject.id } }),
    ])
    return accepted(null)
  }
}
