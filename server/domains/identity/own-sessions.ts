import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { session } from '#contract/sessions.ts'
import { type Clock, rfc3339 } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import { hashToken, type OneTimeTokens } from './one-time-tokens.ts'
import type { SignedIn } from './people.ts'
import type { SecurityRecord } from './security-record.ts'
import { LIFETIME_SECONDS } from './sessions.ts'

export type SessionRecord = z.infer<typeof session>

/** The session of somebody under a new token, valid when `statements` are committed: the old token is nobody's then. */
export type RenewedSession = OpenToken & { readonly statements: readonly Statement[] }

/** A session's token on its way to its owner. */
export type OpenToken = { readonly token: string; readonly maxAgeSeconds: number }

/** What people see and end of their own sessions. */
export type OwnSessions = {
  /** Those that are not over, newest first. */
  list(person: SignedIn, page: PageRequest): Promise<Page<SessionRecord>>
  /** Ends one session, the current one too; 404 no such session of this person. */
  end(person: SignedIn, sessionId: string): Promise<Outcome<null, ServiceError>>
  /** Ends all sessions but the current one. */
  endOthers(person: SignedIn): Promise<void>
  /** The writes after which the current session has another token, and is the only one. */
  renewAlone(person: SignedIn): RenewedSession
}

export type OwnSessionsParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly tokens: Pick<OneTimeTokens, 'voidAll'>
  readonly record: SecurityRecord
}

export function createOwnSessions({ storage, clock, tokens, record }: OwnSessionsParts): OwnSessions {
  const { db } = storage

  const endingOthers = ({ realm, id, session }: SignedIn): readonly Statement[] => [
    {
      query: db
        .deleteFrom('sessions')
        .where('realm', '=', realm)
        .where('subject_id', '=', id)
        .where('id', '!=', session.id),
    },
    tokens.voidAll({ realm, id }, ['second-factor', 'reset-password']),
  ]

  return {
    list: async ({ realm, id, session }, page) => {
      const query = db
        .selectFrom('sessions')
        .select(['id', 'created_at', 'last_seen_at', 'expires_at', 'user_agent', 'address'])
        .where('realm', '=', realm)
        .where('subject_id', '=', id)
        .where('expires_at', '>', clock.now())
      return mapPage(await readNewest(query, page), row => ({
        id: row.id,
        object: 'session',
        created_at: rfc3339(row.created_at),
        last_seen_at: rfc3339(row.last_seen_at),
        expires_at: rfc3339(row.expires_at),
        user_agent: row.user_agent,
        address: row.address,
        current: row.id === session.id,
      }))
    },
    end: async (person, sessionId) => {
      const query = db
        .deleteFrom('sessions')
        .where('realm', '=', person.realm)
        .where('subject_id', '=', person.id)
        .where('id', '=', sessionId)
      const outcome = await storage.commit([
        { query, expectRows: 1 },
        ...record(person, 'end_session', { session_id: sessionId }),
      ])
      return outcome.kind === 'committed' ? accepted(null) : refused(refusals.notFound('No such session'))
    },
    endOthers: async person => {
      await storage.commit([...endingOthers(person), ...record(person, 'end_other_sessions')])
    },
    renewAlone: person => {
      const token = randomBytes(32).toString('base64url')
      const query = db
        .updateTable('sessions')
        .set({ token_hash: hashToken(token) })
        .where('id', '=', person.session.id)
        .where('realm', '=', person.realm)
        .where('subject_id', '=', person.id)
      const expiresAt = person.session.createdAt + LIFETIME_SECONDS[person.realm] * 1000
      const maxAgeSeconds = Math.max(0, Math.floor((expiresAt - clock.now()) / 1000))
      return { token, maxAgeSeconds, statements: [{ query, expectRows: 1 }, ...endingOthers(person)] }
    },
  }
}
