import { refusals, type ServiceError } from '#contract/errors.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { DueSecondFactor, Enter, EntryOptions, OpenedSession } from './entry.ts'
import type { ExternalIdentities } from './external-identities.ts'
import type { OidcClient, OidcFailure, OidcIdentity } from './oidc-client.ts'
import type { PendingOidc } from './oidc-flows.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'
import type { OwnerProof } from './owner-proof.ts'
import type { People, SignedIn } from './people.ts'
import type { SecurityRecord } from './security-record.ts'

/** Why nobody was signed in, or nothing linked: pages have words for each. */
export type OidcRefusal =
  | OidcFailure
  /** What came back is no answer to a question of this browser, or to one that it got an answer to before. */
  | 'expired'
  /** Nobody here has this identity, and nobody new may come in by it. */
  | 'unknown'
  | 'sign_up_closed'
  /** The provider does not say that the e-mail is verified. */
  | 'email_unverified'
  /** Somebody here has this e-mail, and can link the identity after signing in otherwise. */
  | 'email_taken'
  /** Somebody else here has this identity. */
  | 'identity_taken'
  | 'busy'

/**
 * Makes a user without a password, and the account that they own, and signs them in. 403 while sign-up is closed, 409 an
 * e-mail that is taken, 429 too many from one network.
 */
export type SignUpByIdentity = (
  person: { readonly email: string; readonly name: string },
  options: Pick<EntryOptions, 'origin' | 'replaces'> & {
    /** What belongs into the same unit. */
    readonly also: (userId: string) => readonly Statement[]
  },
) => Promise<Outcome<OpenedSession, ServiceError>>

export type OidcReturn = Pick<EntryOptions, 'origin' | 'replaces'> & {
  readonly returned: URL
  readonly pending: PendingOidc
}

export type BeginLinkOptions = {
  readonly password: string | undefined
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
  /** Where to go afterwards, within the realm's pages. */
  readonly from: string
}

/** What comes of somebody's return from the provider. */
export type OidcSignIn = {
  /** Sends somebody who is signed in away to fetch an identity. 403 a wrong password, 503 the provider does not answer. */
  beginLink(
    signedIn: SignedIn,
    options: BeginLinkOptions,
  ): Promise<Outcome<{ readonly url: URL; readonly pending: PendingOidc }, ServiceError>>
  signIn(realm: Realm, options: OidcReturn): Promise<Outcome<OpenedSession | DueSecondFactor, OidcRefusal>>
  /** Gives the identity to whoever began this, if it is they who come back. */
  link(person: SignedIn | null, options: OidcReturn): Promise<Outcome<null, OidcRefusal>>
}

export type OidcSignInParts = {
  readonly client: OidcClient
  readonly storage: Storage
  readonly people: People
  readonly tokens: OneTimeTokens
  readonly enter: Enter
  readonly prove: OwnerProof
  readonly externalIdentities: ExternalIdentities
  readonly signUpByIdentity: SignUpByIdentity
  readonly record: SecurityRecord
}

export function createOidcSignIn(parts: OidcSignInParts): OidcSignIn {
  const { client, storage, people, tokens, enter, prove, record } = parts
  const { externalIdentities, signUpByIdentity } = parts

  type Entered = Outcome<OpenedSession | DueSecondFactor, OidcRefusal>

  async function signInAs(identity: OidcIdentity, realm: Realm, options: OidcReturn): Promise<Entered> {
    const owner = await externalIdentities.findOwner(realm, identity)
    if (owner) {
      const person = await people.find(owner)
      if (!person?.mayEnter) return refused('unknown')
      const entered = await enter(person, { ...options, also: [spend(realm, owner.id, options)] })
      return entered ? accepted(entered) : refused('expired')
    }
    if (identity.verifiedEmail === null) return refused(realm === 'admin' ? 'unknown' : 'email_unverified')
    const local = await people.findByEmail(realm, identity.verifiedEmail)
    if (!local) return signUp(identity, realm, { ...options, email: identity.verifiedEmail })
    // Only whoever has shown here, too, that the address is theirs gets in by it. An address that was merely typed may
    // be anybody's: they would share the account with a stranger who claimed it before them.
    if (!local.mayEnter) return refused('unknown')
    if (local.emailVerifiedAt === null) return refused('email_taken')
    const entered = await enter(local, {
      ...options,
      also: [
        externalIdentities.link(local, identity),
        spend(realm, local.id, options),
        ...record(local, 'link_identity', { issuer: identity.issuer }),
      ],
    })
    return entered ? accepted(entered) : refused('expired')
  }

  async function signUp(
    identity: OidcIdentity,
    realm: Realm,
    options: OidcReturn & { readonly email: string },
  ): Promise<Entered> {
    if (realm === 'admin') return refused('unknown')
    const { email } = options
    const name = personName(identity.name ?? email.split('@', 1)[0] ?? email)
    const outcome = await signUpByIdentity(
      { email, name },
      {
        ...options,
        also: userId => [
          externalIdentities.link({ realm, id: userId }, identity),
          spend(realm, userId, options),
        ],
      },
    )
    return outcome.ok ? outcome : refused(SIGN_UP_REFUSALS[outcome.refusal.status] ?? 'failed')
  }

  /** Of any number of returns with the same answer of the provider only one does anything. */
  function spend(realm: Realm, id: string, { pending }: OidcReturn): Statement {
    return tokens.spend('oidc-used', { realm, id }, pending.state)
  }

  return {
    beginLink: async (signedIn, { password, redirectUri, from }) => {
      const proven = await prove(signedIn, password)
      if (!proven.ok) return proven
      await storage.commit(proven.value.statements)
      const begun = await client.begin(redirectUri)
      if (!begun.ok)
        return refused(refusals.unavailable('The other service does not answer; try again later'))
      const linking = { id: signedIn.id, sessionId: signedIn.session.id }
      return accepted({ url: begun.value.url, pending: { ...begun.value.flow, from, linking } })
    },
    signIn: async (realm, options) => {
      const identity = await client.finish(options.returned, options.pending)
      return identity.ok ? signInAs(identity.value, realm, options) : identity
    },
    link: async (person, options) => {
      const { linking } = options.pending
      if (!person || !linking || person.id !== linking.id || person.session.id !== linking.sessionId) {
        return refused('expired')
      }
      const identity = await client.finish(options.returned, options.pending)
      if (!identity.ok) return identity
      const outcome = await storage.commit([
        externalIdentities.link(person, identity.value),
        spend(person.realm, person.id, options),
        ...record(person, 'link_identity', { issuer: identity.value.issuer }),
      ])
      return outcome.kind === 'committed' ? accepted(null) : refused('identity_taken')
    },
  }
}

const SIGN_UP_REFUSALS: Readonly<Record<number, OidcRefusal>> = {
  403: 'sign_up_closed',
  409: 'email_taken',
  429: 'busy',
}

/** A name as our own forms would take it: plain text on one line, not too long, not empty. */
function personName(given: string): string {
  const plain = given
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim()
    .slice(0, 200)
  return plain === '' ? 'Someone' : plain
}
