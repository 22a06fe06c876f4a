import type { Statement, Storage } from '#storage/storage.ts'
import type { OneTimeTokens } from './one-time-tokens.ts'
import type { OpenToken } from './own-sessions.ts'
import type { People, Person } from './people.ts'
import type { SecondFactors } from './second-factors.ts'
import type { SessionOrigin } from './session-origin.ts'
import type { Sessions } from './sessions.ts'

/** A session was opened. */
export type OpenedSession = OpenToken & {
  readonly kind: 'session'
  readonly subjectId: string
  readonly email: string
}

/** No session yet: a code of the second factor is due, with this token, which opens nothing else. */
export type DueSecondFactor = OpenToken & { readonly kind: 'second-factor' }

export type EntryOptions = {
  readonly origin: SessionOrigin
  /** The token of the session that the browser has so far, which ends with the new one; null for none. */
  readonly replaces: string | null
  /** What belongs into the same unit. */
  readonly also: readonly Statement[]
}

/**
 * What happens once a first factor was shown: a session, or a second factor that is due. null when the person was
 * changed meanwhile.
 */
export type Enter = (person: Person, options: EntryOptions) => Promise<OpenedSession | DueSecondFactor | null>

export type EntryParts = {
  readonly storage: Storage
  readonly people: People
  readonly sessions: Sessions
  readonly tokens: OneTimeTokens
  readonly factors: SecondFactors
}

export function createEntry({ storage, people, sessions, tokens, factors }: EntryParts): Enter {
  return async (person, { origin, replaces, also }) => {
    if (await factors.isEnrolled(person)) {
      const { token, lifetimeSeconds, statement } = tokens.prepare('second-factor', person)
      const outcome = await storage.commit([people.change(person, {}), statement, ...also])
      if (outcome.kind !== 'committed') return null
      return { kind: 'second-factor', token, maxAgeSeconds: lifetimeSeconds }
    }
    const { token, maxAgeSeconds, statement } = sessions.prepare(person, origin)
    const outcome = await storage.commit([
      people.entersByOneFactor(person),
      ...(replaces === null ? [] : [sessions.ending(person.realm, replaces)]),
      statement,
      ...also,
    ])
    if (outcome.kind !== 'committed') return null
    return { kind: 'session', subjectId: person.id, email: person.email, token, maxAgeSeconds }
  }
}
