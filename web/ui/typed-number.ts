/** `1,000`: a thousand as pages write it, or a one with decimals after a comma. Nobody but who typed it knows. */
const AMBIGUOUS = /^-?[1-9]\d{0,2},\d{3}$/

/** A whole number, whose thousands may be apart. */
const COUNT = /^\d+$|^\d{1,3}([ ,]\d{3})+$/

/**
 * What was typed into a field, with a point or a comma; NaN, which schemas refuse, for what is no number, or might be
 * two: nothing is no 0.
 */
export function typedNumber(text: unknown): number {
  const typed = trimmed(text)
  return typed === '' || AMBIGUOUS.test(typed) ? Number.NaN : Number(typed.replace(',', '.'))
}

/** The same where only a whole number of 0 or more can be meant: a comma in it is none of decimals. */
export function typedCount(text: unknown): number {
  const typed = trimmed(text)
  return COUNT.test(typed) ? Number(typed.replaceAll(/[ ,]/g, '')) : Number.NaN
}

/** What stands in a field that may be left empty: undefined where it is. */
export function ifTyped(text: unknown, read: (text: unknown) => number): number | undefined {
  return trimmed(text) === '' ? undefined : read(text)
}

/** Whether what was typed might be a thousand, or a one. */
export function isAmbiguous(text: string): boolean {
  return AMBIGUOUS.test(text.trim())
}

function trimmed(text: unknown): string {
  return typeof text === 'string' ? text.trim() : ''
}
