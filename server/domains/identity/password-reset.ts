import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Background } from '#lib/background.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import type { Storage } from '#storage/storage.ts'
import { normalizeEmail } from './email.ts'
import type { ExternalIdentities } from './external-identities.ts'
import { resetPasswordLetter } from './letters.ts'
import type { Mailer } from './mailer.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'
import type { Passwords } from './passwords.ts'
import type { People } from './people.ts'
import type { SecurityRecord } from './security-record.ts'
import type { SessionOrigin } from './session-origin.ts'
import type { Sessions } from './sessions.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/** A new password for whoever reads the mail of a person. */
export type PasswordReset = {
  /**
   * Sends a link to the address if somebody has it. The answer is the same if nobody does, and so is the time it takes:
   * what depends on it is done after the answer. 403 the service sends no mail, 429 too many for the address or network.
   */
  request(realm: Realm, email: string, origin: SessionOrigin): Promise<Outcome<null, ServiceError>>
  /** Sets the password, ends all sessions, and opens none. 403 a link that is used, too old, or none at all. */
  reset(realm: Realm, options: { token: string; password: string }): Promise<Outcome<null, ServiceError>>
}

export type PasswordResetParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly mailer: Mailer | null
  readonly background: Background
  readonly people: People
  readonly passwords: Passwords
  readonly sessions: Sessions
  readonly tokens: OneTimeTokens
  readonly throttle: SignInThrottle
  readonly externalIdentities: Pick<ExternalIdentities, 'unlinkAll'>
  readonly record: SecurityRecord
}

export function createPasswordReset(parts: PasswordResetParts): PasswordReset {
  const { storage, clock, mailer, background, people, passwords, sessions, tokens, throttle, record } = parts
  const { externalIdentities } = parts

  async function sendLink(post: Mailer, realm: Realm, email: string): Promise<void> {
    const person = await people.findByEmail(realm, email)
    if (!person?.mayEnter) return
    // Earlier links stay good: whoever asks for many in somebody's name does not void the one they are about to use.
    const { token, lifetimeSeconds, statement } = tokens.prepare('reset-password', person, email)
    await storage.commit([
      statement,
      post.send(email, {
        kind: 'reset-password',
        letter: resetPasswordLetter(post.tokenUrl(realm, 'reset-password', token)),
        validForMs: lifetimeSeconds * 1000,
      }),
    ])
  }

  return {
    request: async (realm, typed, { network }) => {
      if (!mailer)
        return refused(refusals.forbidden('This service sends no mail; ask the operator for a new password'))
      const email = normalizeEmail(typed)
      const admitted = await throttle.admitMail({ realm, email, network })
      if (!admitted.ok) return admitted
      background.run(() => sendLink(mailer, realm, email))
      return accepted(null)
    },
    reset: async (realm, { token, password }) => {
      const found = await tokens.find('reset-password', realm, token)
      const person = found && (await people.find(found))
      if (!found || !person?.mayEnter || person.email !== found.email) return refused(uselessLink())
      const outcome = await storage.commit([
        found.use,
        people.change(person, {
          password_hash: await passwords.hash(password),
          email_verified_at: clock.now(),
        }),
        ...sessions.endAll(person),
        // Whoever claimed the address before its owner did keeps no way in.
        ...(person.emailVerifiedAt === null ? [externalIdentities.unlinkAll(person)] : []),
        throttle.forgive(person),
        ...record(person, 'reset_password'),
      ])
      return outcome.kind === 'committed' ? accepted(null) : refused(uselessLink())
    },
  }
}

function uselessLink(): ServiceError {
  return refusals.forbidden('This link was used before or is too old; ask for a new one')
}
