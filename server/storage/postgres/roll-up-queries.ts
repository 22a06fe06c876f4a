import type { RollUp, RollUpTable } from '../roll-ups/roll-up.ts'
import { ROLL_UP_TABLES, rollUpColumns, rollUpSql, rollUpValues } from '../roll-ups/roll-up-sql.ts'
import type { RequestRow } from '../tables.ts'
import { BoundArray, type ElementType } from './parameters.ts'
import type { SessionQuery } from './session.ts'

const TEXT_KEYS: ReadonlySet<string> = new Set<keyof RequestRow>([
  'account_id',
  'key_id',
  'model',
  'endpoint',
  'provider',
])

function typeOf(column: string): ElementType {
  return TEXT_KEYS.has(column) ? 'text' : 'bigint'
}

/** Up to so many rows go as single values: to read an array a column costs more than to read a few rows. */
const FEW_ROWS = 8

/** One array a column, so that a table has one statement for any number of rows beyond these. */
function fromArrays(table: RollUpTable): string {
  const arrays = rollUpColumns(table).map((column, index) => `$${index + 1}::${typeOf(column)}[]`)
  return `select * from unnest(${arrays.join(', ')})`
}

/** One parameter a value. */
function fromValues(table: RollUpTable, rows: number): string {
  const columns = rollUpColumns(table).length
  const row = (index: number) =>
    `(${Array.from({ length: columns }, (_, column) => `$${index * columns + column + 1}`).join(', ')})`
  return `values ${Array.from({ length: rows }, (_, index) => row(index)).join(', ')}`
}

type Statement = Pick<SessionQuery, 'name' | 'text'>

const FOR_MANY: Readonly<Record<RollUpTable, Statement>> = {
  usage_hours: { name: 'usage_hours', text: rollUpSql('usage_hours', fromArrays('usage_hours')) },
  service_hours: { name: 'service_hours', text: rollUpSql('service_hours', fromArrays('service_hours')) },
}
const forFew = new Map<string, Statement>()

/** The statement for so few rows; its text is made once. */
function statementForFew(table: RollUpTable, rows: number): Statement {
  const name = `${table}_${rows}`
  const statement = forFew.get(name) ?? { name, text: rollUpSql(table, fromValues(table, rows)) }
  forFew.set(name, statement)
  return statement
}

function addingQuery(table: RollUpTable, rows: readonly (readonly unknown[])[]): SessionQuery {
  if (rows.length <= FEW_ROWS) return { ...statementForFew(table, rows.length), values: rows.flat() }
  const values = rollUpColumns(table).map(
    (column, index) =>
      new BoundArray(
        typeOf(column),
        rows.map(row => row[index]),
      ),
  )
  return { ...FOR_MANY[table], values }
}

/** A day that gets another record has to be summed up anew. */
const UNFOLD_DAY = 'delete from folded_days where started_at = $1'

/** What adds all that was summed up to the tables. */
export function rollUpQueries(rollUp: RollUp): SessionQuery[] {
  const days = rollUp.days()
  if (days.length === 0) return []
  const queries = ROLL_UP_TABLES.map(table => addingQuery(table, rollUp.rowsOf(table).map(rollUpValues)))
  return [...queries, ...days.map(day => ({ name: 'unfold', text: UNFOLD_DAY, values: [day] }))]
}
