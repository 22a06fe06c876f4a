import type { TokenBuckets, Weights } from '#contract/usage.ts'
import { type Micros, micros, scaleDecimal } from '#lib/money.ts'
import { WEIGHT_DECIMALS } from './decimal-weight.ts'
import { type UnitCharge, weighUnits } from './unit-weights.ts'

const UNITS_PER_MICRO = 10n ** 12n

/** A model's weights ready for exact arithmetic, beside the numbers they were given as. */
export type PinnedWeights = {
  readonly given: Weights
  readonly input: bigint
  readonly cacheRead: bigint
  readonly cacheWrite: bigint
  readonly output: bigint
}

/** Prepares weights for charging; null when one is negative, not finite or has more than twelve decimals. */
export function pinWeights(given: Weights): PinnedWeights | null {
  const [input, cacheRead, cacheWrite, output] = [
    given.input,
    given.cache_read,
    given.cache_write,
    given.output,
  ].map(weight => scaleDecimal(weight, WEIGHT_DECIMALS))
  if (input == null || cacheRead == null || cacheWrite == null || output == null) return null
  if (input < 0n || cacheRead < 0n || cacheWrite < 0n || output < 0n) return null
  return { given, input, cacheRead, cacheWrite, output }
}

/**
 * The charge for a request: the exact sum over the four buckets and over units where there are some, rounded up once to a
 * millionth of a credit. A weight of one credit per million tokens is one micro-credit a token, so no further factor is
 * needed.
 */
export function weigh(usage: TokenBuckets, weights: PinnedWeights, unit: UnitCharge | null = null): Micros {
  const units =
    BigInt(usage.input) * weights.input +
    BigInt(usage.cache_read) * weights.cacheRead +
    BigInt(usage.cache_write) * weights.cacheWrite +
    BigInt(usage.output) * weights.output +
    (unit === null ? 0n : weighUnits(unit))
  return micros((units + UNITS_PER_MICRO - 1n) / UNITS_PER_MICRO)
}
