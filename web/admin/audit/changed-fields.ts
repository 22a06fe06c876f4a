/** A field that a change set, added or took away. */
export type FieldChange = { readonly field: string; readonly before: string; readonly after: string }

const NOTHING = '–'

/** What a change changed, field by field: members of objects by their path, all else as one value. */
export function changedFields(before: unknown, after: unknown): FieldChange[] {
  const [old, fresh] = [flatten(before), flatten(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap(field => {
    const [from, to] = [old.get(field), fresh.get(field)]
    return (from ?? NOTHING) === (to ?? NOTHING)
      ? []
      : [{ field, before: from ?? NOTHING, after: to ?? NOTHING }]
  })
}

function flatten(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value == null && path === '' ? new Map() : new Map([[path || 'value', show(value)]])
  }
  return new Map(
    Object.entries(value).flatMap(([name, member]) => [
      ...flatten(member, path === '' ? name : `${path}.${name}`),
    ]),
  )
}

function show(value: unknown): string {
  if (value === null) return NOTHING
  return typeof value === 'string' ? value : JSON.stringify(value)
}
