/**
 * Money is whole micro-credits in one type: a branded bigint. Numbers meet it only at the edges, through the
 * decimal text of a JSON number, so no floating point arithmetic ever touches an amount.
 */

declare const microsBrand: unique symbol

/** An amount of money in millionths of a credit; signed. */
export type Micros = bigint & { readonly [microsBrand]: true }

export const ZERO_MICROS = 0n as Micros

/** A credit has a million of them. */
export const MICRO_DECIMALS = 6

/** Brands a whole number of micro-credits. */
export function micros(value: bigint): Micros {
  // The brand has no run-time shape: every bigint is a valid amount of micro-credits.
  return value as Micros
}

/** The decimal digits that a JSON number stands for, without an exponent: `1e-7` becomes `0.0000001`. */
function decimalText(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!match) return text
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match
  const exponent = Number(exponentText)
  const digits = whole + fraction
  const point = whole.length + exponent
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length)
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/**
 * Reads the decimal that a JSON number stands for as a whole number of `10^-places` units.
 * Returns null when the number is not finite or has more than `places` decimals: nothing is ever rounded here.
 */
export function scaleDecimal(value: number, places: number): bigint | null {
  if (!Number.isFinite(value)) return null
  const text = decimalText(value)
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  if (fraction.length > places) return null
  const scaled = BigInt(whole + fraction.padEnd(places, '0'))
  return negative ? -scaled : scaled
}

/** The shortest decimal for a whole number of `10^-places` units; exact. */
export function decimalOfScaled(units: bigint, places: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  const whole = digits.slice(0, -places)
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Credits as written in a request (a JSON number) to micro-credits; null when it has more than six decimals. */
export function microsFromCredits(credits: number): Micros | null {
  const scaled = scaleDecimal(credits, MICRO_DECIMALS)
  return scaled === null ? null : micros(scaled)
}

/**
 * Micro-credits to the number that a reply shows: credits with up to six decimals. For showing only; the nearest
 * double prints these digits exactly for every amount under a thousand million credits.
 */
export function creditsFromMicros(amount: Micros): number {
  return Number(amount) / 1_000_000
}
