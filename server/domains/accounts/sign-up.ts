import { refusals, type ServiceError } from '#contract/errors.ts'
import type { EmailVerification } from '#domains/identity/email-verification.ts'
import type { EntryOptions, OpenedSession } from '#domains/identity/entry.ts'
import type { Passwords } from '#domains/identity/passwords.ts'
import type { Sessions } from '#domains/identity/sessions.ts'
import type { SignInThrottle } from '#domains/identity/sign-in-throttle.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import { insertAccount, insertUser, type NewPerson, newAccount, newUser } from './new-account.ts'

export type SignUpParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly settings: SettingsRegister
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly throttle: SignInThrottle
  readonly emailVerification: Pick<EmailVerification, 'welcome'>
}

/**
 * Makes a user, the account that it owns, and a session, in one unit. 403 while sign-up is closed, 409 an e-mail that
 * is taken, 429 too many from one network.
 */
export type SignUp = (
  person: NewPerson,
  from: Pick<EntryOptions, 'origin' | 'replaces'>,
) => Promise<Outcome<OpenedSession, ServiceError>>

export function createSignUp(parts: SignUpParts): SignUp {
  const { storage, clock, settings, passwords, sessions, throttle, emailVerification } = parts
  return async (person, { origin, replaces }) => {
    const { sign_up } = await settings.get()
    if (sign_up === 'closed')
      return refused(refusals.forbidden('Sign-up is closed; ask the operator for access'))
    const admitted = await throttle.admitSignUp(origin.network)
    if (!admitted.ok) return admitted

    const nowMs = clock.now()
    const accountId = newId('acc', nowMs)
    const user = await newUser(passwords, person, { accountId, nowMs })
    const account = newAccount({ id: accountId, name: person.name, ownerId: user.id, nowMs })
    const { token, maxAgeSeconds, statement } = sessions.prepare({ realm: 'client', id: user.id }, origin)
    const outcome = await storage.commit([
      insertAccount(storage, account),
      insertUser(storage, user),
      ...(replaces === null ? [] : [sessions.ending('client', replaces)]),
      statement,
      ...emailVerification.welcome({ realm: 'client', id: user.id }, user.email),
    ])
    if (outcome.kind !== 'committed') return refused(emailTaken())
    return accepted({ kind: 'session', subjectId: user.id, email: user.email, token, maxAgeSeconds })
  }
}

export function emailTaken(): ServiceError {
  return refusals.conflict('This e-mail address is taken')
}
