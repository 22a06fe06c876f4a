import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Statement } from '#storage/storage.ts'
import type { Passwords } from './passwords.ts'
import type { People, Person, SignedIn } from './people.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/** How young the session of a person without a password must be. */
const RECENT_MS = 10 * 60 * 1000

/** A person who has shown to be the owner, and the writes that belong into the unit which that allows. */
export type Proven = { readonly person: Person; readonly statements: readonly Statement[] }

/**
 * Has somebody who is signed in show once more that it is them, since a session may have been left open or stolen: by
 * the password, or without one by having signed in just now. 403 if they can't, 429 after too many wrong passwords.
 */
export type OwnerProof = (
  signedIn: SignedIn,
  password: string | undefined,
) => Promise<Outcome<Proven, ServiceError>>

export type OwnerProofParts = {
  readonly people: People
  readonly passwords: Passwords
  readonly throttle: SignInThrottle
  readonly clock: Clock
}

export function createOwnerProof({ people, passwords, throttle, clock }: OwnerProofParts): OwnerProof {
  return async (signedIn, password) => {
    const person = await people.find(signedIn)
    if (!person) return refused(refusals.unauthenticated('Sign in to continue'))
    if (person.passwordHash === null) {
      return clock.now() - signedIn.session.createdAt < RECENT_MS
        ? accepted({ person, statements: [] })
        : refused(refusals.forbidden('Sign out and in again to do this'))
    }
    if (password === undefined) return refused(refusals.invalid('current_password: is needed'))
    const admitted = await throttle.admitProof('password', person)
    if (!admitted.ok) return admitted
    if (!(await passwords.verify(person.passwordHash, password))) {
      return refused(refusals.forbidden('The current password is wrong'))
    }
    return accepted({ person, statements: [throttle.proved('password', person)] })
  }
}
