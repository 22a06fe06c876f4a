import { refusals, type ServiceError } from '#contract/errors.ts'
import type { EmailVerification } from '#domains/identity/email-verification.ts'
import type { EntryOptions, OpenedSession } from '#domains/identity/entry.ts'
import type { SignUpByIdentity } from '#domains/identity/oidc-sign-in.ts'
import type { Passwords } from '#domains/identity/passwords.ts'
import type { SessionOrigin } from '#domains/identity/session-origin.ts'
import type { Sessions } from '#domains/identity/sessions.ts'
import type { SignInThrottle } from '#domains/identity/sign-in-throttle.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import type { UserRow } from '#storage/tables.ts'
import {
  insertAccount,
  insertUser,
  type NewPerson,
  newAccount,
  newUser,
  newUserWithoutPassword,
} from './new-account.ts'

export type SignUpParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly settings: SettingsRegister
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly throttle: SignInThrottle
  readonly emailVerification: Pick<EmailVerification, 'welcome'>
}

/** Making oneself a user. Each refuses with 403 while sign-up is closed, 409 an e-mail that is taken, 429 too many. */
export type SignUp = {
  /** Makes a user with a password, the account that it owns, and a session, in one unit. */
  byPassword(
    person: NewPerson,
    from: Pick<EntryOptions, 'origin' | 'replaces'>,
  ): Promise<Outcome<OpenedSession, ServiceError>>
  /** The same for somebody who signs in elsewhere, where their e-mail was verified. */
  byIdentity: SignUpByIdentity
}

export function createSignUp(parts: SignUpParts): SignUp {
  const { storage, clock, settings, passwords, sessions, throttle, emailVerification } = parts

  async function admit(origin: SessionOrigin): Promise<Outcome<null, ServiceError>> {
    const { sign_up } = await settings.get()
    if (sign_up === 'closed')
      return refused(refusals.forbidden('Sign-up is closed; ask the operator for access'))
    return throttle.admitSignUp(origin.network)
  }

  async function enter(
    user: UserRow,
    { origin, replaces, also }: EntryOptions,
  ): Promise<Outcome<OpenedSession, ServiceError>> {
    const { id, account_id, name, email, created_at: nowMs } = user
    const { token, maxAgeSeconds, statement } = sessions.prepare({ realm: 'client', id }, origin)
    const outcome = await storage.commit([
      insertAccount(storage, newAccount({ id: account_id, name, ownerId: id, nowMs })),
      insertUser(storage, user),
      ...(replaces === null ? [] : [sessions.ending('client', replaces)]),
      statement,
      ...also,
    ])
    if (outcome.kind !== 'committed') return refused(emailTaken())
    return accepted({ kind: 'session', subjectId: id, email, token, maxAgeSeconds })
  }

  return {
    byPassword: async (person, { origin, replaces }) => {
      const admitted = await admit(origin)
      if (!admitted.ok) return admitted
      const nowMs = clock.now()
      const user = await newUser(passwords, person, { accountId: newId('acc', nowMs), nowMs })
      const also = emailVerification.welcome({ realm: 'client', id: user.id }, user.email)
      return enter(user, { origin, replaces, also })
    },
    byIdentity: async (person, { origin, replaces, also }) => {
      const admitted = await admit(origin)
      if (!admitted.ok) return admitted
      const nowMs = clock.now()
      const user = newUserWithoutPassword(person, { accountId: newId('acc', nowMs), nowMs })
      return enter(user, { origin, replaces, also: also(user.id) })
    },
  }
}

export function emailTaken(): ServiceError {
  return refusals.conflict('This e-mail address is taken')
}
