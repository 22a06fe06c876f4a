/**
 * A weight as it stands in a field, with every decimal it has: weights reach further down than amounts. A number's own
 * text is the shortest that means it; only the smallest have an exponent in theirs.
 */
export function weightText(weight: number): string {
  const text = String(weight)
  return text.includes('e') ? weight.toFixed(12).replace(/\.?0+$/, '') : text
}

/** The same as it is shown: with its thousands apart. */
export function formatWeight(weight: number): string {
  return formatDecimal(weightText(weight))
}

const COUNT = new Intl.NumberFormat('en')

/** A whole number with its thousands apart. */
export function formatCount(count: number): string {
  return COUNT.format(count)
}

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** A whole number at a glance: `128K`. */
export function formatShortCount(count: number): string {
  return SHORT.format(count)
}

const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })

/** How much of a whole a part is, in percent: `0.25%`. A dash where there is no whole. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : SHARE.format(part / whole)
}

/** How long something took, to three figures: `840 ms`, `1.24 s`. A dash where nothing was measured. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const seconds = ms / 1_000
  return `${COUNT.format(Number(seconds.toPrecision(seconds < 1_000 ? 3 : 4)))} s`
}

/** An exact decimal as replies carry it, with the thousands of its whole part apart; nothing is rounded. */
export function formatDecimal(text: string): string {
  const [whole = '0', decimals] = text.split('.')
  const grouped = new Intl.NumberFormat('en').format(BigInt(whole))
  return decimals === undefined ? grouped : `${grouped}.${decimals}`
}
