import { type SqlBool, sql } from 'kysely'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { type Outcome, refused } from '#lib/outcome.ts'

/** What an attempt gives back when the row it was worked out from has changed in the meantime. */
export const RACED = Symbol('raced')

const ATTEMPTS = 20

/** A condition that holds as long as every one of these columns is what it was when it was read. */
export function stillIs(row: Readonly<Record<string, unknown>>) {
  const columns = Object.entries(row).map(
    ([column, value]) => sql`${sql.ref(column)} is not distinct from ${value}`,
  )
  return sql<SqlBool>`${sql.join(columns, sql` and `)}`
}

/**
 * Runs an attempt at a change until no other change came between its reading and its writing: so the record before it,
 * which goes into the audit log, is the one that it really replaced.
 */
export async function untilUnraced<Value>(
  attempt: () => Promise<Outcome<Value, ServiceError> | typeof RACED>,
): Promise<Outcome<Value, ServiceError>> {
  for (let count = 0; count < ATTEMPTS; count++) {
    const outcome = await attempt()
    if (outcome !== RACED) return outcome
  }
  return refused(refusals.conflict('This is being changed by others at the same time; try again'))
}
