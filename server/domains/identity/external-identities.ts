import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { externalIdentity } from '#contract/sessions.ts'
import { type Clock, rfc3339 } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { OidcIdentity } from './oidc-client.ts'
import type { OwnerProof } from './owner-proof.ts'
import type { SignedIn, Subject } from './people.ts'
import type { SecurityRecord } from './security-record.ts'

export type ExternalIdentityRecord = z.infer<typeof externalIdentity>

/** Which identities at other services belong to which people. */
export type ExternalIdentities = {
  /** Whose an identity is; null for nobody's in this realm. */
  findOwner(realm: Realm, identity: OidcIdentity): Promise<Subject | null>
  list(subject: Subject): Promise<readonly ExternalIdentityRecord[]>
  /** The write that gives an identity to a person: a duplicate when somebody has it. */
  link(subject: Subject, identity: OidcIdentity): Statement
  /** Takes one away. 403 a wrong password, 404 no such identity of theirs, 409 they could not sign in any more. */
  unlink(person: SignedIn, id: string, password: string | undefined): Promise<Outcome<null, ServiceError>>
  /** The write that takes all of a person's away. */
  unlinkAll(subject: Subject): Statement
}

export type ExternalIdentitiesParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly prove: OwnerProof
  readonly record: SecurityRecord
}

export function createExternalIdentities(parts: ExternalIdentitiesParts): ExternalIdentities {
  const { storage, clock, prove, record } = parts
  const { db } = storage

  const owned = ({ realm, id }: Subject) =>
    db.deleteFrom('external_identities').where('realm', '=', realm).where('subject_id', '=', id)

  return {
    findOwner: async (realm, { issuer, subject }) => {
      const row = await db
        .selectFrom('external_identities')
        .select('subject_id')
        .where('realm', '=', realm)
        .where('issuer', '=', issuer)
        .where('external_subject', '=', subject)
        .executeTakeFirst()
      return row ? { realm, id: row.subject_id } : null
    },
    list: async ({ realm, id }) => {
      const rows = await db
        .selectFrom('external_identities')
        .select(['id', 'issuer', 'email', 'created_at'])
        .where('realm', '=', realm)
        .where('subject_id', '=', id)
        .orderBy('id')
        .execute()
      return rows.map(row => ({
        id: row.id,
        object: 'external_identity',
        issuer: row.issuer,
        email: row.email,
        created_at: rfc3339(row.created_at),
      }))
    },
    link: ({ realm, id }, { issuer, subject, verifiedEmail }) => {
      const now = clock.now()
      const query = db.insertInto('external_identities').values({
        id: newId('idn', now),
        realm,
        subject_id: id,
        issuer,
        external_subject: subject,
        email: verifiedEmail,
        created_at: now,
      })
      return { query, expectRows: 1 }
    },
    unlink: async (signedIn, id, password) => {
      const proven = await prove(signedIn, password)
      if (!proven.ok) return proven
      const { person, statements } = proven.value
      if (person.passwordHash === null) {
        return refused(refusals.conflict('Choose a password first, or you could not sign in any more'))
      }
      const outcome = await storage.commit([
        { query: owned(person).where('id', '=', id), expectRows: 1 },
        ...statements,
        ...record(person, 'unlink_identity', { identity_id: id }),
      ])
      return outcome.kind === 'committed' ? accepted(null) : refused(refusals.notFound('No such identity'))
    },
    unlinkAll: subject => ({ query: owned(subject) }),
  }
}
