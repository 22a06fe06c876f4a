import type { ModelWeights, TierWeights, TokenBuckets } from '#contract/usage.ts'
import { type Micros, micros, scaleDecimal } from '#lib/money.ts'
import { WEIGHT_DECIMALS } from './decimal-weight.ts'
import { type UnitCharge, weighUnits } from './unit-weights.ts'

const UNITS_PER_MICRO = 10n ** 12n

/** What a token of each kind weighs, ready for exact arithmetic. */
export type PinnedRates = {
  readonly input: bigint
  readonly cacheRead: bigint
  readonly cacheWrite: bigint
  /** Of cache writes that live for an hour; null where they weigh as all others. */
  readonly cacheWriteLong: bigint | null
  readonly output: bigint
}

/** What the tokens of a longer request weigh. */
export type PinnedTier = PinnedRates & { readonly aboveInputTokens: number }

/** A model's weights, beside the numbers they were given as. */
export type PinnedWeights = PinnedRates & {
  readonly given: ModelWeights
  /** The highest bound first. */
  readonly tiers: readonly PinnedTier[]
}

/** Prepares weights for charging; null when one is negative, not finite or has more than twelve decimals. */
export function pinWeights(given: ModelWeights): PinnedWeights | null {
  const base = pinRates(given)
  if (base === null) return null
  const tiers: PinnedTier[] = []
  for (const { above_input_tokens: aboveInputTokens, weights } of given.tiers ?? []) {
    const rates = pinRates(weights)
    if (rates === null) return null
    tiers.push({ ...rates, aboveInputTokens })
  }
  tiers.sort((a, b) => b.aboveInputTokens - a.aboveInputTokens)
  return { ...base, given, tiers }
}

function pinRates(given: TierWeights): PinnedRates | null {
  const scaled = [given.input, given.cache_read, given.cache_write, given.output].map(scale)
  const [input, cacheRead, cacheWrite, output] = scaled
  if (input == null || cacheRead == null || cacheWrite == null || output == null) return null
  const cacheWriteLong = given.cache_write_1h === undefined ? null : scale(given.cache_write_1h)
  if (given.cache_write_1h !== undefined && cacheWriteLong === null) return null
  return { input, cacheRead, cacheWrite, cacheWriteLong, output }
}

function scale(weight: number): bigint | null {
  const scaled = scaleDecimal(weight, WEIGHT_DECIMALS)
  return scaled === null || scaled < 0n ? null : scaled
}

/** The tier of a request with these counts: the highest that its whole input is above; null where it is above none. */
export function tierOf(usage: TokenBuckets, { tiers }: PinnedWeights): PinnedTier | null {
  if (tiers.length === 0) return null
  const inputTokens = usage.input + usage.cache_read + usage.cache_write
  return tiers.find(tier => inputTokens > tier.aboveInputTokens) ?? null
}

/** The tokens of a bucket, or of a part of one, with what one of them weighs. */
export type WeighedTokens = {
  readonly item: 'input' | 'cache_read' | 'cache_write' | 'cache_write_1h' | 'output'
  readonly count: number
  readonly weight: bigint
}

/** How the tokens of a request are weighed: a line a bucket, and one more for cache writes that weigh otherwise. */
export function weighedTokens(usage: TokenBuckets, weights: PinnedWeights): WeighedTokens[] {
  const rates = tierOf(usage, weights) ?? weights
  const long = rates.cacheWriteLong === null ? 0 : (usage.cache_write_1h ?? 0)
  return [
    { item: 'input', count: usage.input, weight: rates.input },
    { item: 'cache_read', count: usage.cache_read, weight: rates.cacheRead },
    { item: 'cache_write', count: usage.cache_write - long, weight: rates.cacheWrite },
    ...(rates.cacheWriteLong === null || long === 0
      ? []
      : [{ item: 'cache_write_1h' as const, count: long, weight: rates.cacheWriteLong }]),
    { item: 'output', count: usage.output, weight: rates.output },
  ]
}

/**
 * The charge for a request: the exact sum over its tokens and over units where there are some, rounded up once to a
 * millionth of a credit. A weight of one credit per million tokens is one micro-credit a token, so no further factor is
 * needed.
 */
export function weigh(usage: TokenBuckets, weights: PinnedWeights, unit: UnitCharge | null = null): Micros {
  let units = unit === null ? 0n : weighUnits(unit)
  for (const { count, weight } of weighedTokens(usage, weights)) {
    if (count !== 0) units += BigInt(count) * weight
  }
  return micros((units + UNITS_PER_MICRO - 1n) / UNITS_PER_MICRO)
}
