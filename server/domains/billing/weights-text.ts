import type { ModelWeights, TierWeights, TokenBuckets } from '#contract/usage.ts'
import { toDecimalText, WEIGHT_DECIMALS } from './decimal-weight.ts'
import { type PinnedRates, pinWeights, tierOf } from './weights.ts'

/** The four weights, in the order in which they are always named, and what may stand beside them. */
const NAMES = ['input', 'cache_read', 'cache_write', 'output', 'cache_write_1h'] as const

/**
 * The largest weight: a thousand credits a token. Beyond it a single long request could cost more than a balance can
 * hold (63 bits of micro-credits), and its charge would fail after the answer went out.
 */
const LARGEST_WEIGHT = 1_000_000_000

/** What is wrong with weights, naming the field; null when they can be charged by. */
export function findWeightProblem(weights: ModelWeights): string | null {
  const problem = findTierProblem(weights, 'weights')
  if (problem !== null) return problem
  const bounds = new Set<number>()
  for (const [index, { above_input_tokens: bound, weights: tier }] of (weights.tiers ?? []).entries()) {
    const place = `weights.tiers.${index}`
    if (bounds.has(bound)) return `${place}.above_input_tokens: two tiers have the same bound`
    bounds.add(bound)
    // Left out, longer lives would weigh less above the bound than below it.
    if (weights.cache_write_1h !== undefined && tier.cache_write_1h === undefined) {
      return `${place}.weights.cache_write_1h: is needed, since there is one below the bound`
    }
    const inTier = findTierProblem(tier, `${place}.weights`)
    if (inTier !== null) return inTier
  }
  return null
}

function findTierProblem(weights: TierWeights, place: string): string | null {
  for (const name of NAMES) {
    const weight = weights[name]
    if (weight === undefined) continue
    if (weight > LARGEST_WEIGHT) return `${place}.${name}: must be at most ${LARGEST_WEIGHT}`
    if (pinWeights({ input: weight, cache_read: 0, cache_write: 0, output: 0 }) === null) {
      return `${place}.${name}: must be a number of 0 or more with at most ${WEIGHT_DECIMALS} decimals`
    }
  }
  return null
}

type RatesText = {
  input: string
  cache_read: string
  cache_write: string
  output: string
  cache_write_1h?: string
}
type TierText = RatesText & { above_input_tokens: number }
type WeightsText = RatesText & { tiers?: TierText[] }

/** Weights as they are stored: JSON of decimal texts. Throws on weights that have a problem. */
export function weightsToJson(weights: ModelWeights): string {
  const pinned = pinWeights(weights)
  if (pinned === null) throw new Error('These weights can not be stored')
  const tiers = pinned.tiers.map(
    (tier): TierText => ({ above_input_tokens: tier.aboveInputTokens, ...ratesText(tier) }),
  )
  const text: WeightsText = { ...ratesText(pinned), ...(tiers.length === 0 ? {} : { tiers }) }
  return JSON.stringify(text)
}

function ratesText(rates: PinnedRates): RatesText {
  return {
    input: toDecimalText(rates.input),
    cache_read: toDecimalText(rates.cacheRead),
    cache_write: toDecimalText(rates.cacheWrite),
    output: toDecimalText(rates.output),
    ...(rates.cacheWriteLong === null ? {} : { cache_write_1h: toDecimalText(rates.cacheWriteLong) }),
  }
}

/** The weights that were stored: the very numbers that were given, tiers from the highest bound down. */
export function weightsFromJson(json: string): ModelWeights {
  // `weightsToJson` is the only writer of these columns.
  const { tiers, ...text } = JSON.parse(json) as WeightsText
  if (tiers === undefined) return toRates(text)
  return {
    ...toRates(text),
    tiers: tiers.map(({ above_input_tokens, ...tier }) => ({ above_input_tokens, weights: toRates(tier) })),
  }
}

function toRates(text: RatesText): TierWeights {
  return {
    input: Number(text.input),
    cache_read: Number(text.cache_read),
    cache_write: Number(text.cache_write),
    output: Number(text.output),
    ...(text.cache_write_1h === undefined ? {} : { cache_write_1h: Number(text.cache_write_1h) }),
  }
}

export type AppliedWeights = TierWeights & { above_input_tokens?: number }

/** The stored weights by which a request with these counts is charged. */
export function appliedWeights(json: string, usage: TokenBuckets): AppliedWeights {
  const { tiers, ...base } = weightsFromJson(json)
  if (tiers === undefined) return base
  const pinned = pinWeights({ ...base, tiers })
  const bound = pinned && tierOf(usage, pinned)?.aboveInputTokens
  const tier = tiers.find(({ above_input_tokens }) => above_input_tokens === bound)
  return tier === undefined ? base : { ...tier.weights, above_input_tokens: tier.above_input_tokens }
}
