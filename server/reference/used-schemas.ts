import type { JsonSchema } from './json-schemas.ts'

const REFERENCE = /#\/components\/schemas\/(\w+)/g

function referencesOf(value: unknown): Set<string> {
  return new Set([...JSON.stringify(value).matchAll(REFERENCE)].flatMap(([, name]) => name ?? []))
}

/** The names that are referred to from `value`, by way of other schemas as well. */
export function findUsedNames(value: unknown, components: ReadonlyMap<string, JsonSchema>): Set<string> {
  const used = new Set<string>()
  const open = [...referencesOf(value)]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue
    used.add(name)
    open.push(...referencesOf(components.get(name) ?? {}))
  }
  return used
}

/**
 * New names for schemas of what comes in: one whose counterpart of what goes out is never referred to has the name to
 * itself.
 */
export function plainNames(used: ReadonlySet<string>): (name: string) => string {
  return name => {
    const plain = name.replace(/Input$/, '')
    return used.has(plain) ? name : plain
  }
}

/** The same value with every reference under its new name. */
export function renameUsed<Value>(value: Value, nameOf: (name: string) => string): Value {
  const renamed = JSON.stringify(value).replace(
    REFERENCE,
    (_match, name) => `#/components/schemas/${nameOf(name)}`,
  )
  return JSON.parse(renamed)
}
