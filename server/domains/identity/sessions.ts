import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { Realm } from '#storage/tables.ts'
import type { SignedInAdministrator, SignedInUser } from './people.ts'

/** How long a session lasts from its start, whatever happens in it. */
const LIFETIME_SECONDS: Record<Realm, number> = { client: 30 * 24 * 3600, admin: 12 * 3600 }

/** A session about to be made: it exists when `statement` is committed. */
export type NewSession = {
  /** 256 random bits; given to the person and nowhere stored. */
  readonly token: string
  readonly maxAgeSeconds: number
  readonly statement: Statement
}

export type Sessions = {
  prepare(realm: Realm, subjectId: string): NewSession
  findUser(token: string): Promise<SignedInUser | null>
  findAdministrator(token: string): Promise<SignedInAdministrator | null>
  /** Ends one session; ending one that is over already is no fault. */
  end(realm: Realm, token: string): Promise<void>
  /** The write that ends every session of a person. */
  endAll(realm: Realm, subjectId: string): Statement
  /** Removes the rows of sessions that are over: housekeeping, nothing depends on it. */
  deleteExpired(): Promise<void>
}

export function createSessions({ storage, clock }: { storage: Storage; clock: Clock }): Sessions {
  const { db } = storage

  function prepare(realm: Realm, subjectId: string): NewSession {
    const token = randomBytes(32).toString('base64url')
    const now = clock.now()
    const maxAgeSeconds = LIFETIME_SECONDS[realm]
    const row = {
      id: newId('ses', now),
      realm,
      subject_id: subjectId,
      token_hash: hashSessionToken(token),
      created_at: now,
      expires_at: now + maxAgeSeconds * 1000,
    }
    return {
      token,
      maxAgeSeconds,
      statement: { query: db.insertInto('sessions').values(row), expectRows: 1 },
    }
  }

  async function findUser(token: string): Promise<SignedInUser | null> {
    const row = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.subject_id')
      .select(['users.id', 'users.email', 'users.name', 'users.account_id'])
      .where('sessions.token_hash', '=', hashSessionToken(token))
      .where('sessions.realm', '=', 'client')
      .where('sessions.expires_at', '>', clock.now())
      .where('users.status', '=', 'active')
      .executeTakeFirst()
    return row ? { id: row.id, email: row.email, name: row.name, accountId: row.account_id } : null
  }

  async function findAdministrator(token: string): Promise<SignedInAdministrator | null> {
    const row = await db
      .selectFrom('sessions')
      .innerJoin('administrators', 'administrators.id', 'sessions.subject_id')
      .select(['administrators.id', 'administrators.email', 'administrators.name'])
      .where('sessions.token_hash', '=', hashSessionToken(token))
      .where('sessions.realm', '=', 'admin')
      .where('sessions.expires_at', '>', clock.now())
      .executeTakeFirst()
    return row ?? null
  }

  return {
    prepare,
    findUser,
    findAdministrator,
    end: async (realm, token) => {
      const ended = db
        .deleteFrom('sessions')
        .where('realm', '=', realm)
        .where('token_hash', '=', hashSessionToken(token))
      await storage.commit([{ query: ended }])
    },
    endAll: (realm, subjectId) => ({
      query: db.deleteFrom('sessions').where('realm', '=', realm).where('subject_id', '=', subjectId),
    }),
    deleteExpired: async () => {
      await storage.commit([{ query: db.deleteFrom('sessions').where('expires_at', '<=', clock.now()) }])
    },
  }
}

/** 256 random bits need no slow hash. */
function hashSessionToken(token: string): string {
  return hash('sha256', token, 'hex')
}
