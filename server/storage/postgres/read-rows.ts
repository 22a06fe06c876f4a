import type { QueryArrayResult } from 'pg'

/** An answer whose values are as the server wrote them, each row a list in the order of `fields`. */
export type TextResult = QueryArrayResult<(string | null)[]>

export type Row = Record<string, unknown>

/** Object ids of Postgres' own types, which never change: `select oid, typname from pg_type`. */
const BOOL = 16
const FLOATS: ReadonlySet<number> = new Set([700, 701])
/** int8, int2, int4, and numeric, which is what a sum of int8 is. */
const WHOLE_NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 1700])

type ReadValue = (text: string) => unknown

function toNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new RangeError(`${text} is too large to be read as a number`)
  }
  return number
}

function readerOf({ name, dataTypeID: type }: TextResult['fields'][number]): ReadValue | null {
  if (WHOLE_NUMBERS.has(type)) return name.endsWith('_micros') ? BigInt : toNumber
  if (FLOATS.has(type)) return Number
  return type === BOOL ? text => (text === 't' ? 1 : 0) : null
}

/**
 * The rows of an answer as the other engine gives them: amounts as bigints by their column's name, all other numbers as
 * numbers, truth as 0 or 1, all else as text.
 */
export function readRows({ fields, rows }: TextResult): Row[] {
  const readers = fields.map(readerOf)
  return rows.map(values => {
    const row: Row = {}
    for (const [index, { name }] of fields.entries()) {
      const text = values[index] ?? null
      const read = readers[index]
      row[name] = text === null || !read ? text : read(text)
    }
    return row
  })
}
