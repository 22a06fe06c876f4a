/** Variables of the environment in the texts of a configuration file: `${NAME}`, and how a text says such a thing itself. */
import { createHash } from 'node:crypto'

/** A variable of the environment by its name. */
export type ReadVariable = (name: string) => string | undefined

/** The dollars before a name in braces: of each two one is meant, and one that is left over asks for the variable. */
const MARKED = /(?<!\$)(\$+)\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** A value of a file with variables in the place of their names, in every text of it, and what is escaped as it is meant. */
export function fillIn(value: unknown, read: (name: string) => string): unknown {
  return mapTexts(value, text =>
    text.replace(MARKED, (_whole, { length }: string, name: string) =>
      '$'.repeat(Math.floor(length / 2)).concat(length % 2 === 1 ? read(name) : `{${name}}`),
    ),
  )
}

/** The same value as a file has to write it, so that nothing in its texts is taken for a variable. */
export function escapeTexts<Value>(value: Value): Value {
  const escaped = mapTexts(value, text =>
    text.replace(MARKED, (_whole, dollars: string, name: string) => `${dollars}${dollars}{${name}}`),
  )
  // Texts alone are other than they were, and they are texts still.
  return escaped as Value
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map(each => mapTexts(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, map)]))
}

const DIGEST_CHARS = 6

/**
 * Gives what stands in a file for a secret: `${NAME}`, and no name twice. Of those that would have one name, whoever
 * asks first has it, and each of the others a digest of what it is beside it: so it keeps its name whatever comes later.
 */
export function createVariableNames(): (plain: string, of: readonly string[]) => string {
  const taken = new Set<string>()
  return (plain, of) => {
    const digest = createHash('sha256').update(JSON.stringify(of)).digest('hex').toUpperCase()
    let name = plain
    // Digests of different things differ in the end.
    for (let length = DIGEST_CHARS; taken.has(name) && length <= digest.length; length++) {
      name = `${plain}_${digest.slice(0, length)}`
    }
    taken.add(name)
    return `\${${name}}`
  }
}

/** A text as a part of a variable's name. */
export function toVariableName(text: string): string {
  const name = text.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
  return /^[0-9]/.test(name) ? `_${name}` : name
}
