/** What was typed into a field, with a point or a comma; NaN, which schemas refuse, for what is no number: nothing is no 0. */
export function typedNumber(text: unknown): number {
  return isBlank(text) ? Number.NaN : Number(String(text).replace(',', '.'))
}

/** The same for a field that may be left empty: undefined where it is. */
export function typedNumberIfAny(text: unknown): number | undefined {
  return isBlank(text) ? undefined : typedNumber(text)
}

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === ''
}
