import { CompiledQuery, type Kysely } from 'kysely'
import { BoundArray, type ElementType } from '../postgres/parameters.ts'
import type { SqliteConnection } from '../sqlite/connection.ts'
import type { Tables } from '../tables.ts'

/** Of the schema's own history: each database has it from its own migrations. */
const HISTORY = /^(sqlite_|kysely_)/
const ROWS_AT_ONCE = 500

export type CopiedTable = { readonly table: string; readonly rows: number }

/**
 * Copies every row of every table, as it is, inside the transaction that is open on Postgres. Both databases have the
 * same schema. Throws when the target holds anything already.
 */
export async function copyTables(source: SqliteConnection, target: Kysely<Tables>): Promise<CopiedTable[]> {
  const tables = listTables(source)
  // Whoever starts beside the move waits, and finds everything there.
  await run(target, `lock table ${tables.join(', ')} in access exclusive mode`)
  for (const table of tables) {
    const { rows } = await run(target, `select 1 from ${table} limit 1`)
    if (rows.length > 0) throw new Error(`The Postgres database is not empty: there are rows in ${table}`)
  }
  const copied: CopiedTable[] = []
  for (const table of tables) copied.push({ table, rows: await copyTable(source, target, table) })
  return copied
}

function run(target: Kysely<Tables>, sql: string, parameters: readonly unknown[] = []) {
  return target.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, [...parameters]))
}

/** All tables, each after those that it points to. */
function listTables(source: SqliteConnection): string[] {
  const { rows } = source.query("select name from sqlite_schema where type = 'table' order by name", [])
  const names = rows.map(({ name }) => String(name)).filter(name => !HISTORY.test(name))
  const ordered = new Set<string>()
  const visit = (table: string): void => {
    if (ordered.has(table)) return
    const pointsTo = source.query('select distinct "table" as name from pragma_foreign_key_list(?)', [table])
    for (const { name } of pointsTo.rows) if (name !== table) visit(String(name))
    ordered.add(table)
  }
  for (const name of names) visit(name)
  return [...ordered]
}

async function copyTable(source: SqliteConnection, target: Kysely<Tables>, table: string): Promise<number> {
  const columns = source.query('select name, type from pragma_table_info(?)', [table]).rows
  const names = columns.map(({ name }) => String(name))
  const types = columns.map(({ type }) => typeInPostgres(String(type).toLowerCase()))
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`)
  const insert = `insert into ${table} (${names.join(', ')}) select * from unnest(${arrays.join(', ')})`
  const statement = source.database.prepare(`select ${names.join(', ')} from ${table}`)
  statement.setReadBigInts(true)
  let copied = 0
  let rows: Record<string, unknown>[] = []
  const flush = async () => {
    if (rows.length === 0) return
    const columnOf = (name: string) => rows.map(row => row[name])
    const values = names.map((name, index) => new BoundArray(types[index] ?? 'text', columnOf(name)))
    await run(target, insert, values)
    copied += rows.length
    rows = []
  }
  for (const row of statement.iterate()) if (rows.push(row) === ROWS_AT_ONCE) await flush()
  await flush()
  return copied
}

function typeInPostgres(type: string): ElementType {
  if (type === 'text') return 'text'
  if (type === 'integer' || type === 'bigint') return 'bigint'
  throw new Error(`A column of type ${type} can't be copied`)
}
