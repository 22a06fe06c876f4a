/** The number that somebody typed, with a point or a comma; undefined for nothing, NaN for what is no number. */
export function typedNumber(text: unknown): number | undefined {
  const typed = typeof text === 'string' ? text.trim() : ''
  return typed === '' ? undefined : Number(typed.replace(',', '.'))
}
