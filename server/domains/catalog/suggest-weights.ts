import type { z } from 'zod'
import type { Pricing, weightSuggestion } from '#contract/provider-models.ts'
import type { ModelWeights, TierWeights } from '#contract/usage.ts'
import { findWeightProblem } from '#domains/billing/weights-text.ts'
import { decimalOfScaled, MICRO_DECIMALS, scaleDecimal } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { PRICE_DECIMALS } from './list-price.ts'

type SuggestionLine = z.infer<typeof weightSuggestion>['lines'][number]

export type Suggestion = { readonly weights: ModelWeights; readonly lines: readonly SuggestionLine[] }

const ITEMS = ['input', 'cache_read', 'cache_write', 'cache_write_1h', 'output'] as const

const MARGIN_DECIMALS = 6
/** Weights are rounded up to as many as a charge has. */
const ROUNDED_DECIMALS = MICRO_DECIMALS
/** A hundred percent, in units of a margin. */
const WHOLE = 100n * 10n ** BigInt(MARGIN_DECIMALS)
const WEIGHT_UNIT = 10n ** BigInt(ROUNDED_DECIMALS)

/** The value of a credit and what is put on top, ready for exact arithmetic. */
type ExactPricing = { readonly credit: bigint; readonly factor: bigint }

/**
 * Weights whose charges come to the list price (US dollars for a million tokens) and the margin on top, at the value of
 * a credit. All arithmetic is with whole numbers; each weight is rounded up once, to six decimals.
 */
export function suggestWeights(listPrice: ModelWeights, pricing: Pricing): Outcome<Suggestion, string> {
  const credit = scaleDecimal(pricing.credit_usd, PRICE_DECIMALS)
  const margin = scaleDecimal(pricing.margin_percent, MARGIN_DECIMALS)
  if (credit === null) return refused(`credit_usd: must have at most ${PRICE_DECIMALS} decimals`)
  if (margin === null) return refused(`margin_percent: must have at most ${MARGIN_DECIMALS} decimals`)
  const exact = { credit, factor: WHOLE + margin }
  const { tiers = [], ...base } = listPrice
  const baseLines = weighAll(base, null, exact)
  const tierLines = tiers.map(tier => weighAll(tier.weights, tier.above_input_tokens, exact))
  const weights: ModelWeights = {
    ...toWeights(baseLines),
    ...(tiers.length === 0
      ? {}
      : {
          tiers: tiers.map(({ above_input_tokens }, index) => ({
            above_input_tokens,
            weights: toWeights(tierLines[index] ?? []),
          })),
        }),
  }
  const problem = findWeightProblem(weights)
  return problem === null
    ? accepted({ weights, lines: [...baseLines, ...tierLines.flat()] })
    : refused(problem)
}

function weighAll(prices: TierWeights, bound: number | null, exact: ExactPricing): SuggestionLine[] {
  return ITEMS.flatMap(item => {
    const price = prices[item]
    const scaled = price === undefined ? null : scaleDecimal(price, PRICE_DECIMALS)
    return scaled === null ? [] : [{ item, above_input_tokens: bound, ...weighOne(scaled, exact) }]
  })
}

function weighOne(price: bigint, { credit, factor }: ExactPricing) {
  const [numerator, denominator] = [price * factor * WEIGHT_UNIT, WHOLE * credit]
  const units = (numerator + denominator - 1n) / denominator
  const list_price_usd = decimalOfScaled(price, PRICE_DECIMALS)
  const weight = decimalOfScaled(units, ROUNDED_DECIMALS)
  const isExact = units * denominator === numerator
  const calculation =
    `${list_price_usd} USD × ${decimalOfScaled(factor, MARGIN_DECIMALS + 2)}` +
    ` ÷ ${decimalOfScaled(credit, PRICE_DECIMALS)} USD a credit = ${weight}` +
    (isExact ? '' : ', rounded up to six decimals')
  return { list_price_usd, weight, calculation }
}

function toWeights(lines: readonly SuggestionLine[]): TierWeights {
  const of = (item: SuggestionLine['item']) => {
    const line = lines.find(each => each.item === item)
    return line === undefined ? undefined : Number(line.weight)
  }
  const long = of('cache_write_1h')
  return {
    input: of('input') ?? 0,
    cache_read: of('cache_read') ?? 0,
    cache_write: of('cache_write') ?? 0,
    output: of('output') ?? 0,
    ...(long === undefined ? {} : { cache_write_1h: long }),
  }
}
