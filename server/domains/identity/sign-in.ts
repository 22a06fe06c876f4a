import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import { normalizeEmail } from './email.ts'
import type { DueSecondFactor, Enter, EntryOptions, OpenedSession } from './entry.ts'
import type { Passwords } from './passwords.ts'
import type { People } from './people.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export type SignInOptions = Pick<EntryOptions, 'origin' | 'replaces'> & {
  readonly email: string
  readonly password: string
  /** Which of the browsers that signed in with this e-mail before asks; null for any other. */
  readonly device: string | null
}

export type SignInParts = {
  readonly people: People
  readonly passwords: Passwords
  readonly throttle: SignInThrottle
  readonly enter: Enter
}

/**
 * Opens a session in one realm, says that a second factor is due, or refuses: 401 without saying which half was wrong,
 * 429 after too many failures.
 */
export type SignIn = (
  realm: Realm,
  options: SignInOptions,
) => Promise<Outcome<OpenedSession | DueSecondFactor, ServiceError>>

export function createSignIn({ people, passwords, throttle, enter }: SignInParts): SignIn {
  return async (realm, { email: typedEmail, password, origin, device, replaces }) => {
    const email = normalizeEmail(typedEmail)
    const attempt = { realm, email, network: origin.network, device }
    const admitted = await throttle.admit(attempt)
    if (!admitted.ok) return admitted

    const person = await people.findByEmail(realm, email)
    const fits = await passwords.verify(person?.passwordHash ?? null, password)
    if (!person || !fits || !person.mayEnter) return refused(wrongPair())

    const entered = await enter(person, { origin, replaces, also: throttle.succeeded(attempt) })
    return entered ? accepted(entered) : refused(wrongPair())
  }
}

function wrongPair(): ServiceError {
  return refusals.unauthenticated('The e-mail or the password is wrong')
}
