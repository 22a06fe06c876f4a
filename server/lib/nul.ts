/**
 * The character U+0000, which Postgres stores in no text. One rule for both engines: what a client sends with it in is
 * refused; what comes from elsewhere, such as an upstream's error code, is stored with U+FFFD in its place.
 */
const NUL = '\0'

export function storableText(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, '\u{fffd}') : text
}

/** Where within a parsed value a text or a name holds it, such as `owner.name`; '' for the value itself; null: nowhere. */
export function findNul(value: unknown): string | null {
  if (typeof value === 'string') return value.includes(NUL) ? '' : null
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null
  for (const [name, member] of Object.entries(value)) {
    if (name.includes(NUL)) return storableText(name)
    const place = findNul(member)
    if (place !== null) return place === '' ? name : `${name}.${place}`
  }
  return null
}
