import type { RollUp, RollUpTable } from '../roll-ups/roll-up.ts'
import { ROLL_UP_TABLES, rollUpColumns, rollUpSql, rollUpValues } from '../roll-ups/roll-up-sql.ts'
import type { RequestRow } from '../tables.ts'
import { arrayLiteral } from './parameters.ts'
import type { SessionQuery } from './session.ts'

const TEXT_KEYS: ReadonlySet<string> = new Set<keyof RequestRow>([
  'account_id',
  'key_id',
  'model',
  'endpoint',
  'provider',
])

/** One array a column, so that a table has one statement for any number of rows. */
function fromArrays(table: RollUpTable): string {
  const arrays = rollUpColumns(table).map(
    (column, index) => `$${index + 1}::${TEXT_KEYS.has(column) ? 'text' : 'bigint'}[]`,
  )
  return `select * from unnest(${arrays.join(', ')})`
}

const STATEMENTS = ROLL_UP_TABLES.map(table => ({
  table,
  name: table,
  text: rollUpSql(table, fromArrays(table)),
}))

/** A day that gets another record has to be summed up anew. */
const UNFOLD_DAYS = 'delete from folded_days where started_at = any($1::bigint[])'

/** What adds all that was summed up to the tables. */
export function rollUpQueries(rollUp: RollUp): SessionQuery[] {
  const days = rollUp.days()
  if (days.length === 0) return []
  const queries = STATEMENTS.map(({ table, name, text }) => {
    const rows = rollUp.rowsOf(table).map(rollUpValues)
    const values = rollUpColumns(table).map((_, index) => arrayLiteral(rows.map(row => row[index])))
    return { name, text, values }
  })
  return [...queries, { name: 'unfold', text: UNFOLD_DAYS, values: [arrayLiteral(days)] }]
}
