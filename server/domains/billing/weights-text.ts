import type { Weights } from '#contract/usage.ts'
import { toDecimalText, WEIGHT_DECIMALS } from './decimal-weight.ts'
import { pinWeights } from './weights.ts'

/** The four weights, in the order in which they are always named. */
export const WEIGHT_NAMES = ['input', 'cache_read', 'cache_write', 'output'] as const

/**
 * The largest weight: a thousand credits a token. Beyond it a single long request could cost more than a balance can
 * hold (63 bits of micro-credits), and its charge would fail after the answer went out.
 */
const LARGEST_WEIGHT = 1_000_000_000

/** What is wrong with weights, naming the field; null when they can be charged by. */
export function findWeightProblem(weights: Weights): string | null {
  for (const name of WEIGHT_NAMES) {
    const weight = weights[name]
    if (weight > LARGEST_WEIGHT) return `weights.${name}: must be at most ${LARGEST_WEIGHT}`
    if (pinWeights({ input: weight, cache_read: 0, cache_write: 0, output: 0 }) === null) {
      return `weights.${name}: must be a number of 0 or more with at most ${WEIGHT_DECIMALS} decimals`
    }
  }
  return null
}

/** Weights as they are stored: JSON of four decimal texts. Throws on weights that have a problem. */
export function weightsToJson(weights: Weights): string {
  const pinned = pinWeights(weights)
  if (pinned === null) throw new Error('These weights can not be stored')
  return JSON.stringify({
    input: toDecimalText(pinned.input),
    cache_read: toDecimalText(pinned.cacheRead),
    cache_write: toDecimalText(pinned.cacheWrite),
    output: toDecimalText(pinned.output),
  })
}

/** The weights that were stored: the very numbers that were given. */
export function weightsFromJson(json: string): Weights {
  // `weightsToJson` is the only writer of these columns.
  const texts = JSON.parse(json) as Record<keyof Weights, string>
  return {
    input: Number(texts.input),
    cache_read: Number(texts.cache_read),
    cache_write: Number(texts.cache_write),
    output: Number(texts.output),
  }
}
