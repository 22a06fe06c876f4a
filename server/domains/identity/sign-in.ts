import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import type { Realm } from '#storage/tables.ts'
import { normalizeEmail } from './email.ts'
import type { Passwords } from './passwords.ts'
import type { People } from './people.ts'
import type { SessionOrigin } from './session-origin.ts'
import type { Sessions } from './sessions.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export type SignInOptions = {
  readonly email: string
  readonly password: string
  readonly origin: SessionOrigin
  /** Which of the browsers that signed in with this e-mail before asks; null for any other. */
  readonly device: string | null
  /** The token of the session that the browser has so far, which ends with the new one; null for none. */
  readonly replaces: string | null
}

export type OpenedSession = {
  readonly subjectId: string
  readonly token: string
  readonly maxAgeSeconds: number
}

export type SignInParts = {
  readonly storage: Storage
  readonly people: People
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly throttle: SignInThrottle
}

/** Opens a session in one realm, or refuses: 401 without saying which half was wrong, 429 after too many failures. */
export type SignIn = (realm: Realm, options: SignInOptions) => Promise<Outcome<OpenedSession, ServiceError>>

export function createSignIn({ storage, people, passwords, sessions, throttle }: SignInParts): SignIn {
  return async (realm, { email: typedEmail, password, origin, device, replaces }) => {
    const email = normalizeEmail(typedEmail)
    const attempt = { realm, email, network: origin.network, device }
    const admitted = await throttle.admit(attempt)
    if (!admitted.ok) return admitted

    const person = await people.findByEmail(realm, email)
    const fits = await passwords.verify(person?.passwordHash ?? null, password)
    if (!person || !fits || !person.mayEnter) return refused(wrongPair())

    const { token, maxAgeSeconds, statement } = sessions.prepare(person, origin)
    const outcome = await storage.commit([
      people.change(person, {}),
      ...(replaces === null ? [] : [sessions.ending(realm, replaces)]),
      statement,
      ...throttle.succeeded(attempt),
    ])
    if (outcome.kind !== 'committed') return refused(wrongPair())
    return accepted({ subjectId: person.id, token, maxAgeSeconds })
  }
}

function wrongPair(): ServiceError {
  return refusals.unauthenticated('The e-mail or the password is wrong')
}
