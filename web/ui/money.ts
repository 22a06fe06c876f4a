import { isAmbiguous } from './typed-number.ts'

/** Prices as people write them. They are whole numbers of a currency's minor unit; nothing passes through a float. */

/** How many decimals a currency's amounts have (ISO 4217, by Intl); 2 where the code is nobody's. */
function decimalsOf(currency: string): number {
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2
}

/** `€10.00`, `¥1,000`. */
export function formatMoney(minor: number, currency: string): string {
  const decimal = minorToText(minor, currency)
  return formatOf(currency).format(decimal as Intl.StringNumericLiteral) // digits around a point are a numeric literal
}

/** An amount as it is typed into a field: `10.00`. */
export function minorToText(minor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** What was typed, in the minor unit; null when it is no amount, might be two, or has more decimals than the currency. */
export function textToMinor(text: string, currency: string): number | null {
  const decimals = decimalsOf(currency)
  const match = /^(\d{1,12})(?:[.,](\d*))?$/.exec(text.trim())
  const [, whole = '', fraction = ''] = match ?? []
  if (!match || isAmbiguous(text) || fraction.length > decimals) return null
  return Number(whole + fraction.padEnd(decimals, '0'))
}

function formatOf(currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat('en', { style: 'currency', currency })
}
