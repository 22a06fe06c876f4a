import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { storableText } from '#lib/nul.ts'

type Prepared = {
  readonly statement: StatementSync
  readonly returnsRows: boolean
  /** Columns read as bigint; null when there are none and plain numbers do. */
  readonly microsColumns: ReadonlySet<string> | null
}

export type QueryResult = { readonly rows: Record<string, unknown>[]; readonly changes: number }

const STATEMENT_CACHE_SIZE = 400
const BUSY_TIMEOUT_MS = 10_000

/** A parameter that SQLite takes as it is. `node:sqlite` reads a lone object as named parameters and binds NULL. */
function toParameter(value: unknown): SQLInputValue {
  switch (typeof value) {
    case 'string':
      return storableText(value)
    case 'bigint':
      return value
    case 'number':
      if (Number.isNaN(value)) break
      return value
    case 'boolean':
      return value ? 1 : 0
    case 'undefined':
      return null
    default:
      if (value === null) return null
  }
  throw new TypeError(`A ${typeof value} can't be bound to a statement`)
}

function toParameters(lists: readonly (readonly unknown[])[]): SQLInputValue[] {
  const parameters: SQLInputValue[] = []
  for (const values of lists) {
    // By index: lists that came from another thread are walked much more slowly by their iterator.
    for (let at = 0; at < values.length; at++) parameters.push(toParameter(values[at]))
  }
  return parameters
}

/** One synchronous connection; lives in a worker thread or in a command, never on the event loop of the service. */
export class SqliteConnection {
  readonly database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  /** `alone`: fails unless nobody else has the database open, and keeps everybody out until it is closed. */
  constructor(path: string, options: { readonly readOnly: boolean; readonly alone?: boolean }) {
    this.database = new DatabaseSync(path, {
      readOnly: options.readOnly,
      timeout: options.alone ? 0 : BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
    })
    // Said before the first access, or else readers may stay.
    if (options.alone) this.database.exec('pragma locking_mode = exclusive; begin exclusive; commit')
    if (!options.readOnly) {
      this.database.exec('pragma journal_mode = wal')
      this.database.exec('pragma wal_autocheckpoint = 2000')
    }
    this.database.exec('pragma cache_size = -65536')
    this.database.exec('pragma temp_store = memory')
  }

  query(sql: string, parameters: readonly unknown[]): QueryResult {
    const prepared = this.prepare(sql)
    if (!prepared.returnsRows) return { rows: [], changes: this.run(sql, parameters) }
    const rows = prepared.statement.all(...toParameters([parameters]))
    if (prepared.microsColumns) narrowIntegers(rows, prepared.microsColumns)
    return { rows, changes: rows.length }
  }

  /** Runs a statement that gives no rows, with the parameters of all lists; tells how many rows it has changed. */
  run(sql: string, ...parameters: readonly (readonly unknown[])[]): number {
    return Number(this.prepare(sql).statement.run(...toParameters(parameters)).changes)
  }

  /** The statement for a text, prepared once and kept while it is in use. */
  prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.database.prepare(sql)
    const columns = statement.columns().map(column => column.name)
    const microsColumns = columns.filter(name => name.endsWith('_micros'))
    if (microsColumns.length > 0) statement.setReadBigInts(true)
    const prepared: Prepared = {
      statement,
      returnsRows: columns.length > 0,
      microsColumns: microsColumns.length > 0 ? new Set(microsColumns) : null,
    }
    if (this.#prepared.size >= STATEMENT_CACHE_SIZE) {
      const oldest = this.#prepared.keys().next().value
      if (oldest !== undefined) this.#prepared.delete(oldest)
    }
    this.#prepared.set(sql, prepared)
    return prepared
  }

  close(): void {
    this.#prepared.clear()
    this.database.close()
  }
}

/** Only amounts stay bigints: every other integer of these rows becomes a number again. */
function narrowIntegers(rows: Record<string, unknown>[], microsColumns: ReadonlySet<string>): void {
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (typeof value === 'bigint' && !microsColumns.has(name)) row[name] = Number(value)
    }
  }
}
