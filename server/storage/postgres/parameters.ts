import { storableText } from '#lib/nul.ts'

/** A parameter as the library sends it: text or nothing. Objects are refused, as they are by the other engine. */
function bindParameter(value: unknown): string | number | bigint | null {
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

export function bindParameters(values: readonly unknown[]): (string | number | bigint | null)[] {
  return values.map(bindParameter)
}

/** An array parameter in the text form of Postgres: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(arrayElement).join(',')}}`
}

function arrayElement(value: unknown): string {
  const bound = bindParameter(value)
  if (bound === null) return 'NULL'
  if (typeof bound !== 'string') return String(bound)
  return `"${/["\\]/.test(bound) ? bound.replaceAll(/["\\]/g, '\\$&') : bound}"`
}
