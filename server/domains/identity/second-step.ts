import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import type { Storage } from '#storage/storage.ts'
import type { EntryOptions, OpenedSession } from './entry.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'
import type { People } from './people.ts'
import type { SecondFactors } from './second-factors.ts'
import type { SecurityRecord } from './security-record.ts'
import type { Sessions } from './sessions.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export type SecondStepOptions = Pick<EntryOptions, 'origin' | 'replaces'> & {
  /** The token that the first factor gave. */
  readonly token: string
  readonly code: string
}

/** Opens the session that a second factor was due for. 401 a wrong code, or too late; 429 after too many wrong ones. */
export type SecondStep = (
  realm: Realm,
  options: SecondStepOptions,
) => Promise<Outcome<OpenedSession, ServiceError>>

export type SecondStepParts = {
  readonly storage: Storage
  readonly people: People
  readonly sessions: Sessions
  readonly tokens: OneTimeTokens
  readonly factors: SecondFactors
  readonly throttle: SignInThrottle
  readonly record: SecurityRecord
}

export function createSecondStep(parts: SecondStepParts): SecondStep {
  const { storage, people, sessions, tokens, factors, throttle, record } = parts
  return async (realm, { token: pending, code, origin, replaces }) => {
    const found = await tokens.find('second-factor', realm, pending)
    if (!found) return refused(refusals.unauthenticated('Sign in with your password first'))
    const person = await people.find(found)
    if (!person?.mayEnter) return refused(refusals.unauthenticated('Sign in with your password first'))
    const admitted = await throttle.admitProof('second factor', person)
    if (!admitted.ok) {
      if (await throttle.isFirstRefusal('second factor', person)) {
        await storage.commit(record(person, 'guess_second_factor'))
      }
      return admitted
    }
    const used = await factors.use(person, code)
    if (!used) return refused(wrongCode())
    const { token, maxAgeSeconds, statement } = sessions.prepare(person, origin)
    const outcome = await storage.commit([
      people.change(person, {}),
      found.use,
      used.statement,
      ...(replaces === null ? [] : [sessions.ending(realm, replaces)]),
      statement,
      throttle.proved('second factor', person),
      ...(used.isRecoveryCode ? record(person, 'use_recovery_code') : []),
    ])
    if (outcome.kind !== 'committed') return refused(wrongCode())
    return accepted({ kind: 'session', subjectId: person.id, email: person.email, token, maxAgeSeconds })
  }
}

function wrongCode(): ServiceError {
  return refusals.unauthenticated('The code is wrong, or was used before')
}
