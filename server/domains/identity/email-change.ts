import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Changes } from '#lib/changes.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import { normalizeEmail } from './email.ts'
import { changeEmailLetter, emailTakenLetter } from './letters.ts'
import type { Mailer } from './mailer.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'
import type { OwnerProof, Proven } from './owner-proof.ts'
import type { People, SignedIn } from './people.ts'
import type { SecurityRecord } from './security-record.ts'
import type { SessionOrigin } from './session-origin.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export type EmailChangeOptions = {
  readonly email: string
  readonly password: string | undefined
  readonly origin: SessionOrigin
}

/**
 * Changes the address somebody signs in with. Where the service sends mail, it is changed when a link in a mail to the
 * new address is followed, and the answer does not tell whether somebody has that address (`confirm`); else at once
 * (`changed`), with 409 for one that is taken. 403 a wrong password, 429 too many mails.
 */
export type ChangeEmail = (
  signedIn: SignedIn,
  options: EmailChangeOptions,
) => Promise<Outcome<'confirm' | 'changed', ServiceError>>

export type EmailChangeParts = {
  readonly storage: Storage
  readonly changes: Changes
  readonly mailer: Mailer | null
  readonly people: People
  readonly tokens: OneTimeTokens
  readonly prove: OwnerProof
  readonly throttle: SignInThrottle
  readonly record: SecurityRecord
}

export function createChangeEmail(parts: EmailChangeParts): ChangeEmail {
  const { storage, changes, mailer, people, tokens, prove, throttle, record } = parts

  async function changeNow({ person, statements }: Proven, email: string) {
    const outcome = await storage.commit([
      people.change(person, { email, email_verified_at: null }),
      tokens.voidAll(person),
      ...statements,
      ...record(person, 'change_email', { email }),
    ])
    if (outcome.kind === 'duplicate') return refused(refusals.conflict('This e-mail address is taken'))
    if (outcome.kind !== 'committed')
      return refused(refusals.conflict('This was changed elsewhere; try again'))
    if (person.realm === 'client') changes.publish({ kind: 'user', userId: person.id })
    return accepted('changed' as const)
  }

  async function askForConfirmation(post: Mailer, { person, statements }: Proven, email: string) {
    const { realm } = person
    if (await people.findByEmail(realm, email)) {
      const letter = emailTakenLetter(post.pageUrl(realm, 'sign-in'))
      await storage.commit([...statements, post.send(email, { kind: 'email-taken', letter })])
    } else {
      const { token, lifetimeSeconds, statement } = tokens.prepare('change-email', person, email)
      const letter = changeEmailLetter(post.tokenUrl(realm, 'verify-email', token))
      const mail = { kind: 'change-email', letter, validForMs: lifetimeSeconds * 1000 }
      await storage.commit([
        ...statements,
        tokens.voidAll(person, ['change-email']),
        statement,
        post.send(email, mail),
      ])
    }
    return accepted('confirm' as const)
  }

  return async (signedIn, { email: typed, password, origin }) => {
    const email = normalizeEmail(typed)
    const proven = await prove(signedIn, password)
    if (!proven.ok) return proven
    if (email === proven.value.person.email) return refused(refusals.conflict('This is your address already'))
    if (!mailer) return changeNow(proven.value, email)
    const { network } = origin
    const admitted = await throttle.admitMail({ realm: signedIn.realm, email, network })
    if (!admitted.ok) return admitted
    return askForConfirmation(mailer, proven.value, email)
  }
}
