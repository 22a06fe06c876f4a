/**
 * The fields of a body that say something else than what was shown when somebody began to write. The rest is not sent:
 * another administrator may have changed it since.
 */
export function changedFields<Body extends object>(body: Body, shown: object): Partial<Body> {
  const before = new Map<string, unknown>(Object.entries(shown))
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  )
  // Fields of the body alone.
  return Object.fromEntries(changed) as Partial<Body>
}

/** A body in part, and its groups of values in part. */
export type PartialGroups<Body> = {
  readonly [Name in keyof Body]?: Body[Name] extends readonly unknown[]
    ? Body[Name]
    : Body[Name] extends object
      ? Partial<Body[Name]>
      : Body[Name]
}

/** The same of a body whose groups of values may be given in part: of a group, too, goes along only what was changed. */
export function changedMembers<Body extends object>(body: Body, shown: object): PartialGroups<Body> {
  const before = new Map<string, unknown>(Object.entries(shown))
  const changed = Object.entries(changedFields(body, shown)).map(([name, value]) => {
    const group = before.get(name)
    return [name, isGroup(value) && isGroup(group) ? changedFields(value, group) : value]
  })
  // Fields of the body alone, and of its groups.
  return Object.fromEntries(changed) as PartialGroups<Body>
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
