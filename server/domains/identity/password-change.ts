import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import type { OpenToken, OwnSessions } from './own-sessions.ts'
import type { OwnerProof } from './owner-proof.ts'
import type { Passwords } from './passwords.ts'
import type { People, SignedIn } from './people.ts'
import type { SecurityRecord } from './security-record.ts'

export type PasswordChangeOptions = {
  /** May be left out by a person who has none. */
  readonly currentPassword: string | undefined
  readonly newPassword: string
}

/** Gives the new token of the current session. 403 a wrong password, 409 changed by somebody else meanwhile. */
export type ChangePassword = (
  signedIn: SignedIn,
  options: PasswordChangeOptions,
) => Promise<Outcome<OpenToken, ServiceError>>

export type PasswordChangeParts = {
  readonly storage: Storage
  readonly people: People
  readonly passwords: Passwords
  readonly prove: OwnerProof
  readonly ownSessions: OwnSessions
  readonly record: SecurityRecord
}

/** Changes a person's password and ends all their other sessions, in one unit. */
export function createChangePassword(parts: PasswordChangeParts): ChangePassword {
  const { storage, people, passwords, prove, ownSessions, record } = parts
  return async (signedIn, { currentPassword, newPassword }) => {
    const proven = await prove(signedIn, currentPassword)
    if (!proven.ok) return proven
    const { person, statements } = proven.value
    const renewed = ownSessions.renewAlone(signedIn)
    const outcome = await storage.commit([
      people.change(person, { password_hash: await passwords.hash(newPassword) }),
      ...renewed.statements,
      ...statements,
      ...record(signedIn, 'change_password'),
    ])
    if (outcome.kind !== 'committed')
      return refused(refusals.conflict('This was changed elsewhere; try again'))
    return accepted(renewed)
  }
}
