/** Money as it is shown. All of it is whole micro-credits in a bigint: no sum here is ever a floating one. */

const MICROS_PER_CREDIT = 1_000_000n
const DECIMALS = 6
const WHOLE = new Intl.NumberFormat('en', { useGrouping: true })

/**
 * Micro-credits of an amount as replies carry it: a number with up to six decimals. `toFixed` writes the exact value of
 * the number, so nothing is lost up to a billion credits.
 */
export function toMicros(credits: number): bigint {
  const text = credits.toFixed(DECIMALS)
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.')
  const micros = BigInt(whole) * MICROS_PER_CREDIT + BigInt(decimals)
  return text.startsWith('-') ? -micros : micros
}

export type CreditsStyle = {
  /** How many decimals are always written; more are written when there are any. */
  readonly minDecimals?: number
  /** A plus before what is above 0, for a change of a balance. */
  readonly signed?: boolean
}

/** Every decimal that there is, and never one that is not: `1,234.50`, `0.000031`, `−12.00`. */
export function formatMicros(micros: bigint, { minDecimals = 2, signed = false }: CreditsStyle = {}): string {
  const size = micros < 0n ? -micros : micros
  const decimals = (size % MICROS_PER_CREDIT).toString().padStart(DECIMALS, '0')
  const shown = decimals.replace(/0+$/, '').padEnd(minDecimals, '0')
  const sign = micros < 0n ? '−' : signed && micros > 0n ? '+' : ''
  return `${sign}${WHOLE.format(size / MICROS_PER_CREDIT)}${shown === '' ? '' : `.${shown}`}`
}

/** An amount as replies carry it, as it is shown. */
export function formatCredits(credits: number, style?: CreditsStyle): string {
  return formatMicros(toMicros(credits), style)
}
