/** Weights are held to twelve decimals: a credit per million tokens in units of 10^-12. */
export const WEIGHT_DECIMALS = 12

/** A number of units of 10^-12 as the shortest decimal text. */
export function toDecimalText(units: bigint): string {
  const digits = units.toString().padStart(WEIGHT_DECIMALS + 1, '0')
  const fraction = digits.slice(-WEIGHT_DECIMALS).replace(/0+$/, '')
  const whole = digits.slice(0, -WEIGHT_DECIMALS)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
