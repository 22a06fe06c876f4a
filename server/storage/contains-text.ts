import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** What stands for something else in a pattern, and so is written with the sign that takes that away. */
const SPECIAL = /[\\%_]/g

/**
 * A condition: one of the columns contains the text, without regard to the case of letters (of those beyond ASCII only on
 * Postgres). No index serves it, so it is for lists that are short enough to be read through: accounts, users, keys, orders.
 */
export function containsText(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.toLowerCase().replace(SPECIAL, sign => `\\${sign}`)}%`
  const conditions = columns.map(column => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`)
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}
