import type { RollUpRow, RollUpTable } from './roll-up.ts'
import { COUNT_COLUMNS, SERVICE_KEYS, USAGE_KEYS } from './usage-tables.ts'

export const ROLL_UP_TABLES = ['usage_hours', 'service_hours'] as const

const SUMS = [...COUNT_COLUMNS, 'charge_micros'] as const

function keysOf(table: RollUpTable): readonly string[] {
  return table === 'usage_hours' ? USAGE_KEYS : SERVICE_KEYS
}

/** The columns of a row of the table, in the order of `rollUpValues`. */
export function rollUpColumns(table: RollUpTable): readonly string[] {
  return [...keysOf(table), ...SUMS]
}

/** Adds rows to a table: `rows` says where they come from, such as `values (?, ?, …)`; their order that of `rollUpValues`. */
export function rollUpSql(table: RollUpTable, rows: string): string {
  const keys = keysOf(table)
  const sums = SUMS.map(column => `${column} = ${table}.${column} + excluded.${column}`)
  return `insert into ${table} (${rollUpColumns(table).join(', ')}) ${rows}
    on conflict (${keys.join(', ')}) do update set ${sums.join(', ')}`
}

/** The values of a row in the order in which its statement takes them. */
export function rollUpValues({ keys, counts, chargeMicros }: RollUpRow): unknown[] {
  return [...keys, ...counts, chargeMicros]
}
