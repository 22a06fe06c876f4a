import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '#lib/clock.ts'
import type { Realm, TokenPurpose } from '#storage/sign-in-tables.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { Subject } from './people.ts'

/** How long a token may wait to be used. */
const LIFETIME_SECONDS: Record<TokenPurpose, number> = {
  'second-factor': 10 * 60,
  'reset-password': 3600,
  'verify-email': 3 * 24 * 3600,
  'change-email': 24 * 3600,
  'oidc-used': 3600,
}

/** A token about to be made: it exists when `statement` is committed. */
export type NewToken = {
  /** 256 random bits; given to the person and nowhere stored. */
  readonly token: string
  readonly lifetimeSeconds: number
  readonly statement: Statement
}

export type FoundToken = Subject & {
  readonly email: string | null
  /** The write that uses the token up: of any number of units with it only one is committed. */
  readonly use: Statement
}

/** Tokens that open one thing, once, for a while. */
export type OneTimeTokens = {
  prepare(purpose: TokenPurpose, subject: Subject, email?: string): NewToken
  /** Who a token belongs to; null when it is unknown, used, too old, or for another purpose or realm. */
  find(purpose: TokenPurpose, realm: Realm, token: string): Promise<FoundToken | null>
  /** The write that makes a token from elsewhere used for good: a second unit with it fails as a duplicate. */
  spend(purpose: TokenPurpose, subject: Subject, token: string): Statement
  /** The write that voids the tokens of a person: those for the purposes named, or all. */
  voidAll(subject: Subject, purposes?: readonly TokenPurpose[]): Statement
  /** Removes the rows of tokens that are too old: housekeeping, nothing depends on it. */
  deleteExpired(): Promise<void>
}

export function createOneTimeTokens({ storage, clock }: { storage: Storage; clock: Clock }): OneTimeTokens {
  const { db } = storage

  function row(purpose: TokenPurpose, { realm, id }: Subject, token: string, email: string | null = null) {
    const now = clock.now()
    return {
      token_hash: hashToken(token),
      purpose,
      realm,
      subject_id: id,
      email,
      created_at: now,
      expires_at: now + LIFETIME_SECONDS[purpose] * 1000,
    }
  }

  return {
    prepare: (purpose, subject, email) => {
      const token = randomBytes(32).toString('base64url')
      const query = db.insertInto('one_time_tokens').values(row(purpose, subject, token, email))
      return { token, lifetimeSeconds: LIFETIME_SECONDS[purpose], statement: { query, expectRows: 1 } }
    },
    find: async (purpose, realm, token) => {
      const found = await db
        .selectFrom('one_time_tokens')
        .select(['token_hash', 'subject_id', 'email'])
        .where('token_hash', '=', hashToken(token))
        .where('purpose', '=', purpose)
        .where('realm', '=', realm)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst()
      if (!found) return null
      const query = db.deleteFrom('one_time_tokens').where('token_hash', '=', found.token_hash)
      return { realm, id: found.subject_id, email: found.email, use: { query, expectRows: 1 } }
    },
    spend: (purpose, subject, token) => ({
      query: db.insertInto('one_time_tokens').values(row(purpose, subject, token)),
      expectRows: 1,
    }),
    voidAll: ({ realm, id }, purposes) => {
      const all = db.deleteFrom('one_time_tokens').where('realm', '=', realm).where('subject_id', '=', id)
      return { query: purposes === undefined ? all : all.where('purpose', 'in', purposes) }
    },
    deleteExpired: async () => {
      await storage.commit([
        { query: db.deleteFrom('one_time_tokens').where('expires_at', '<=', clock.now()) },
      ])
    },
  }
}

/** 256 random bits need no slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}
