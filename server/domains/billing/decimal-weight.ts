import { decimalOfScaled } from '#lib/money.ts'

/** Weights are held to twelve decimals: a credit per million tokens in units of 10^-12. */
export const WEIGHT_DECIMALS = 12

/** A number of units of 10^-12 as the shortest decimal text. */
export function toDecimalText(units: bigint): string {
  return decimalOfScaled(units, WEIGHT_DECIMALS)
}
