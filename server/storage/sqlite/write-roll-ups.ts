import { RollUp } from '../roll-ups/roll-up.ts'
import { ROLL_UP_TABLES, rollUpColumns, rollUpSql, rollUpValues } from '../roll-ups/roll-up-sql.ts'
import type { SqliteConnection } from './connection.ts'

/** There is one writer, so its sums need no rows beside those of others. */
const SHARD = 0

const STATEMENTS = ROLL_UP_TABLES.map(table => ({
  table,
  sql: rollUpSql(
    table,
    `values (${rollUpColumns(table)
      .map(() => '?')
      .join(', ')})`,
  ),
}))

/** A day that gets another record has to be summed up anew. */
const UNFOLD_DAY = 'delete from folded_days where started_at = ?'

export function createRollUp(): RollUp {
  return new RollUp(SHARD)
}

/** Adds what the group has summed up, inside the transaction that is open. */
export function writeRollUps(connection: SqliteConnection, rollUp: RollUp): void {
  for (const { table, sql } of STATEMENTS) {
    for (const row of rollUp.rowsOf(table)) connection.query(sql, rollUpValues(row))
  }
  for (const day of rollUp.days()) connection.query(UNFOLD_DAY, [day])
}
