import { refusals, type ServiceError } from '#contract/errors.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Changes } from '#lib/changes.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import { verifyEmailLetter } from './letters.ts'
import type { Mailer } from './mailer.ts'
import type { FoundToken, OneTimeTokens } from './one-time-tokens.ts'
import type { People, Person, SignedIn, Subject } from './people.ts'
import type { SecurityRecord } from './security-record.ts'
import type { SessionOrigin } from './session-origin.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/** Whether somebody reads the mail of the address they sign in with. */
export type EmailVerification = {
  /** The writes that send the link to somebody new; none where the service sends no mail. */
  welcome(subject: Subject, email: string): readonly Statement[]
  /** Sends the link once more. 403 the service sends no mail, 409 it is verified already, 429 too often. */
  resend(signedIn: SignedIn, origin: SessionOrigin): Promise<Outcome<null, ServiceError>>
  /**
   * Takes the token of a link, of a verification or of a change of address; gives the address that is verified now. Only
   * whoever is signed in as the person it was sent for may use it: else somebody could have their account confirmed by
   * the owner of an address that is not theirs, and wait for that owner to come in by it. 403 for all others.
   */
  verify(signedIn: SignedIn, token: string): Promise<Outcome<string, ServiceError>>
  /** 403 while the settings ask for a verified address and a user's is not. */
  admit(signedIn: SignedIn): Promise<Outcome<null, ServiceError>>
}

export type EmailVerificationParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly changes: Changes
  readonly settings: SettingsRegister
  readonly mailer: Mailer | null
  readonly people: People
  readonly tokens: OneTimeTokens
  readonly throttle: SignInThrottle
  readonly record: SecurityRecord
}

export function createEmailVerification(parts: EmailVerificationParts): EmailVerification {
  const { storage, clock, changes, settings, mailer, people, tokens, throttle, record } = parts

  function sendLink(post: Mailer, subject: Subject, email: string): readonly Statement[] {
    const { token, lifetimeSeconds, statement } = tokens.prepare('verify-email', subject, email)
    const letter = verifyEmailLetter(post.tokenUrl(subject.realm, 'verify-email', token))
    return [statement, post.send(email, { kind: 'verify-email', letter, validForMs: lifetimeSeconds * 1000 })]
  }

  /** The writes that make a token's address the verified address of its person; null when they have another by now. */
  function take(purpose: 'verify-email' | 'change-email', person: Person, email: string) {
    const email_verified_at = clock.now()
    if (purpose === 'change-email') {
      return [
        people.change(person, { email, email_verified_at }),
        // What was sent to the old address opens nothing any more.
        tokens.voidAll(person),
        ...record(person, 'change_email'),
      ]
    }
    if (person.email !== email) return null
    return [
      people.change(person, { email_verified_at }),
      tokens.voidAll(person, ['verify-email']),
      ...record(person, 'verify_email'),
    ]
  }

  async function findToken(realm: Realm, token: string) {
    for (const purpose of ['verify-email', 'change-email'] as const) {
      const found = await tokens.find(purpose, realm, token)
      if (found) return { purpose, found }
    }
    return null
  }

  async function use(purpose: 'verify-email' | 'change-email', found: FoundToken) {
    const person = await people.find(found)
    const writes = person?.mayEnter && found.email !== null ? take(purpose, person, found.email) : null
    if (!writes || found.email === null) return refused(uselessLink())
    const outcome = await storage.commit([found.use, ...writes])
    if (outcome.kind === 'duplicate') return refused(refusals.conflict('This e-mail address is taken'))
    if (outcome.kind !== 'committed') return refused(uselessLink())
    if (found.realm === 'client') changes.publish({ kind: 'user', userId: found.id })
    return accepted(found.email)
  }

  return {
    welcome: (subject, email) => (mailer ? sendLink(mailer, subject, email) : []),
    resend: async (signedIn, { network }) => {
      if (!mailer) return refused(refusals.forbidden('This service sends no mail'))
      const person = await people.find(signedIn)
      if (!person || person.emailVerifiedAt !== null) {
        return refused(refusals.conflict('This e-mail address is confirmed already'))
      }
      const { realm, email } = person
      const admitted = await throttle.admitMail({ realm, email, network })
      if (!admitted.ok) return admitted
      await storage.commit(sendLink(mailer, person, email))
      return accepted(null)
    },
    verify: async ({ realm, id }, token) => {
      const known = await findToken(realm, token)
      if (!known) return refused(uselessLink())
      return known.found.id === id ? use(known.purpose, known.found) : refused(othersLink())
    },
    admit: async signedIn => {
      if (!mailer || (await settings.get()).email_verification === 'optional') return accepted(null)
      const person = await people.find(signedIn)
      return person?.emailVerifiedAt
        ? accepted(null)
        : refused(refusals.forbidden('Confirm your e-mail address first'))
    },
  }
}

function othersLink(): ServiceError {
  return refusals.forbidden('This link is for another account; sign in with that one and open the link again')
}

function uselessLink(): ServiceError {
  return refusals.forbidden('This link was used before or is too old; ask for a new one')
}
