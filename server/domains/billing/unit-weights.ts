import { type UnitName, type UnitWeights, unitName } from '#contract/usage.ts'
import { scaleDecimal } from '#lib/money.ts'
import { toDecimalText, WEIGHT_DECIMALS } from './decimal-weight.ts'

/**
 * The largest weight of a unit, and the most units of one request: together they stay below what a balance can hold
 * (63 bits of micro-credits), so that no charge can fail after its answer went out.
 */
const LARGEST_UNIT_WEIGHT = 100_000
export const MOST_UNITS = 10_000_000

const MILLION = 1_000_000n

/** What one request is charged for by units. */
export type UnitCharge = {
  readonly name: UnitName
  readonly count: number
  /** In units of 10^-12 credits for one image, second or search, or for a million characters. */
  readonly weight: bigint
}

/** Weights of units ready for exact arithmetic. */
export type PinnedUnitWeights = ReadonlyMap<UnitName, bigint>

/** What is wrong with weights of units, naming the field; null when they can be charged by. */
export function findUnitWeightProblem(weights: UnitWeights): string | null {
  for (const name of unitName.options) {
    const weight = weights[name]
    if (weight === undefined) continue
    if (weight > LARGEST_UNIT_WEIGHT) return `unit_weights.${name}: must be at most ${LARGEST_UNIT_WEIGHT}`
    const scaled = scaleDecimal(weight, WEIGHT_DECIMALS)
    if (scaled === null || scaled < 0n) {
      return `unit_weights.${name}: must be a number of 0 or more with at most ${WEIGHT_DECIMALS} decimals`
    }
  }
  return null
}

/** Weights of units as they are stored: JSON of decimal texts; null when there are none. Throws on a problem. */
export function unitWeightsToJson(weights: UnitWeights): string | null {
  const texts = unitName.options.flatMap(name => {
    const weight = weights[name]
    if (weight === undefined) return []
    const scaled = scaleDecimal(weight, WEIGHT_DECIMALS)
    if (scaled === null || scaled < 0n) throw new Error('These weights can not be stored')
    return [[name, toDecimalText(scaled)] as const]
  })
  return texts.length === 0 ? null : JSON.stringify(Object.fromEntries(texts))
}

/** The weights that were stored: the very numbers that were given. */
export function unitWeightsFromJson(json: string | null): UnitWeights | null {
  if (json === null) return null
  // `unitWeightsToJson` is the only writer of this column.
  const texts = JSON.parse(json) as Partial<Record<UnitName, string>>
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]))
}

export function pinUnitWeights(weights: UnitWeights | null): PinnedUnitWeights {
  return new Map(
    unitName.options.flatMap(name => {
      const weight = weights?.[name]
      const scaled = weight === undefined ? null : scaleDecimal(weight, WEIGHT_DECIMALS)
      return scaled === null ? [] : [[name, scaled] as const]
    }),
  )
}

/** What the units come to, in millionths of a millionth of a micro-credit, to be rounded with all else. */
export function weighUnits({ name, count, weight }: UnitCharge): bigint {
  const units = BigInt(count) * weight
  return name === 'character' ? units : units * MILLION
}

/** The entry of a request as it is stored. */
export function unitChargeToJson({ name, count, weight }: UnitCharge): string {
  return JSON.stringify({ name, count, weight: toDecimalText(weight) })
}

/** The entry that was stored; null where there is none. Throws when it can't be read. */
export function unitChargeFromJson(json: string | null): UnitCharge | null {
  if (json === null) return null
  // `unitChargeToJson` is the only writer of this column.
  const { name, count, weight } = JSON.parse(json) as { name: UnitName; count: number; weight: string }
  const scaled = scaleDecimal(Number(weight), WEIGHT_DECIMALS)
  if (scaled === null) throw new Error('The weight of a unit can not be read')
  return { name, count, weight: scaled }
}

/** The same entry as a record shows it. */
export function showUnitCharge(
  json: string | null,
): { name: UnitName; count: number; weight: number } | null {
  const charge = unitChargeFromJson(json)
  return charge && { name: charge.name, count: charge.count, weight: Number(toDecimalText(charge.weight)) }
}
