import { randomBytes } from 'node:crypto'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import type { Realm } from '#storage/sign-in-tables.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import { hashToken, type OneTimeTokens } from './one-time-tokens.ts'
import { OF_AN_OPEN_ACCOUNT } from './open-account.ts'
import type { SignedInAdministrator, SignedInUser, Subject } from './people.ts'
import { type SessionOrigin, summarizeUserAgent } from './session-origin.ts'

/** How long a session lasts from its start, whatever happens in it. */
export const LIFETIME_SECONDS: Record<Realm, number> = { client: 30 * 24 * 3600, admin: 12 * 3600 }

/** How stale the record of when a session was last seen may be: each request to note would be a write. */
const LAST_SEEN_STEP_MS = 5 * 60 * 1000

/** A session about to be made: it exists when `statement` is committed. */
export type NewSession = {
  /** 256 random bits; given to the person and nowhere stored. */
  readonly token: string
  readonly maxAgeSeconds: number
  readonly statement: Statement
}

export type Sessions = {
  prepare(subject: Subject, origin: SessionOrigin): NewSession
  findUser(token: string): Promise<SignedInUser | null>
  findAdministrator(token: string): Promise<SignedInAdministrator | null>
  /** Ends one session; ending one that is over already is no fault. */
  end(realm: Realm, token: string): Promise<void>
  /** The write that ends the session of a token, whoever's it is. */
  ending(realm: Realm, token: string): Statement
  /** The writes that end every session of a person, and void every token that could become one. */
  endAll(subject: Subject): readonly Statement[]
  /** Removes the rows of sessions that are over: housekeeping, nothing depends on it. */
  deleteExpired(): Promise<void>
}

export type SessionsParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly tokens: Pick<OneTimeTokens, 'voidAll'>
}

export function createSessions({ storage, clock, tokens }: SessionsParts): Sessions {
  const { db } = storage

  function prepare({ realm, id }: Subject, { address, userAgent }: SessionOrigin): NewSession {
    const token = randomBytes(32).toString('base64url')
    const now = clock.now()
    const maxAgeSeconds = LIFETIME_SECONDS[realm]
    const row = {
      id: newId('ses', now),
      realm,
      subject_id: id,
      token_hash: hashToken(token),
      created_at: now,
      expires_at: now + maxAgeSeconds * 1000,
      last_seen_at: now,
      user_agent: summarizeUserAgent(userAgent),
      address,
    }
    return {
      token,
      maxAgeSeconds,
      statement: { query: db.insertInto('sessions').values(row), expectRows: 1 },
    }
  }

  function valid(realm: Realm, token: string) {
    return db
      .selectFrom('sessions')
      .select(['sessions.id as session_id', 'sessions.created_at as session_created_at', 'last_seen_at'])
      .where('sessions.token_hash', '=', hashToken(token))
      .where('sessions.realm', '=', realm)
      .where('sessions.expires_at', '>', clock.now())
  }

  /** Nobody waits for it: what can't be written now is written with a later request. */
  function seen(sessionId: string, lastSeenAt: number): void {
    const now = clock.now()
    if (now - lastSeenAt < LAST_SEEN_STEP_MS) return
    const query = db
      .updateTable('sessions')
      .set({ last_seen_at: now })
      .where('id', '=', sessionId)
      .where('last_seen_at', '<=', now - LAST_SEEN_STEP_MS)
    storage.commit([{ query }]).catch(() => {})
  }

  async function findUser(token: string): Promise<SignedInUser | null> {
    const row = await valid('client', token)
      .innerJoin('users', 'users.id', 'sessions.subject_id')
      .select(['users.id', 'users.email', 'users.name', 'users.account_id'])
      .where('users.status', '=', 'active')
      .where(OF_AN_OPEN_ACCOUNT)
      .executeTakeFirst()
    if (!row) return null
    seen(row.session_id, row.last_seen_at)
    const { id, email, name, account_id: accountId } = row
    return { realm: 'client', id, email, name, accountId, session: sessionOf(row) }
  }

  async function findAdministrator(token: string): Promise<SignedInAdministrator | null> {
    const row = await valid('admin', token)
      .innerJoin('administrators', 'administrators.id', 'sessions.subject_id')
      .select(['administrators.id', 'administrators.email', 'administrators.name', 'administrators.role'])
      .select(({ exists, selectFrom }) =>
        exists(
          selectFrom('two_factors')
            .select('two_factors.subject_id')
            .whereRef('two_factors.subject_id', '=', 'administrators.id')
            .where('two_factors.realm', '=', 'admin')
            .where('two_factors.confirmed_at', 'is not', null),
        ).as('has_second_factor'),
      )
      .where('administrators.status', '=', 'active')
      .executeTakeFirst()
    if (!row) return null
    seen(row.session_id, row.last_seen_at)
    const { id, email, name, role } = row
    // One engine has truth values, the other 0 and 1.
    const hasSecondFactor = Boolean(row.has_second_factor)
    return { realm: 'admin', id, email, name, role, hasSecondFactor, session: sessionOf(row) }
  }

  function ending(realm: Realm, token: string): Statement {
    const query = db
      .deleteFrom('sessions')
      .where('realm', '=', realm)
      .where('token_hash', '=', hashToken(token))
    return { query }
  }

  return {
    prepare,
    findUser,
    findAdministrator,
    end: async (realm, token) => {
      await storage.commit([ending(realm, token)])
    },
    ending,
    endAll: subject => [
      {
        query: db
          .deleteFrom('sessions')
          .where('realm', '=', subject.realm)
          .where('subject_id', '=', subject.id),
      },
      tokens.voidAll(subject, ['second-factor', 'reset-password']),
    ],
    deleteExpired: async () => {
      await storage.commit([{ query: db.deleteFrom('sessions').where('expires_at', '<=', clock.now()) }])
    },
  }
}

function sessionOf(row: { readonly session_id: string; readonly session_created_at: number }) {
  return { id: row.session_id, createdAt: row.session_created_at }
}
