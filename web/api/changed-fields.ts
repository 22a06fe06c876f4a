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
