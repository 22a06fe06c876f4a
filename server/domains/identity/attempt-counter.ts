import { sql } from 'kysely'
import type { Clock } from '#lib/clock.ts'
import type { Statement, Storage } from '#storage/storage.ts'

/** How long an attempt counts. A window begins with the first attempt after the one before it has ended. */
const WINDOW_MS = 15 * 60 * 1000

export type CountedAttempt = {
  /** 1 for the first attempt of a window. */
  readonly number: number
  readonly windowEndsInSeconds: number
}

/** Counts attempts per subject, such as `client email ada@example.org`, on all nodes together. */
export type AttemptCounter = {
  /** Counts one more: in one statement, so that of any number of parallel attempts each gets a number of its own. */
  count(subject: string): Promise<CountedAttempt>
  /** The write that forgets all attempts of a subject. */
  forget(subject: string): Statement
  /** The write that takes one attempt back. */
  takeBack(subject: string): Statement
  /** Removes the rows of windows that are over: housekeeping, nothing depends on it. */
  deleteExpired(): Promise<void>
}

export function createAttemptCounter({ storage, clock }: { storage: Storage; clock: Clock }): AttemptCounter {
  const { db } = storage
  return {
    count: async subject => {
      const now = clock.now()
      const isOver = sql<boolean>`sign_in_attempts.window_started_at <= ${now - WINDOW_MS}`
      const row = await db
        .insertInto('sign_in_attempts')
        .values({ subject, failures: 1, window_started_at: now })
        .onConflict(conflict =>
          conflict.column('subject').doUpdateSet({
            failures: sql`case when ${isOver} then 1 else sign_in_attempts.failures + 1 end`,
            window_started_at: sql`case when ${isOver} then excluded.window_started_at
              else sign_in_attempts.window_started_at end`,
          }),
        )
        .returning(['failures', 'window_started_at'])
        .executeTakeFirstOrThrow()
      return {
        number: row.failures,
        windowEndsInSeconds: Math.ceil((row.window_started_at + WINDOW_MS - now) / 1000),
      }
    },
    forget: subject => ({ query: db.deleteFrom('sign_in_attempts').where('subject', '=', subject) }),
    takeBack: subject => ({
      query: db
        .updateTable('sign_in_attempts')
        .set(eb => ({ failures: eb('failures', '-', 1) }))
        .where('subject', '=', subject)
        .where('failures', '>', 0),
    }),
    deleteExpired: async () => {
      const query = db
        .deleteFrom('sign_in_attempts')
        .where('window_started_at', '<=', clock.now() - WINDOW_MS)
      await storage.commit([{ query }])
    },
  }
}
