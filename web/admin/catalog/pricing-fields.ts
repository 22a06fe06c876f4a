import { z } from 'zod'
import { pricing } from '#contract/provider-models.ts'
import { typedNumber } from '#web/ui/typed-number.ts'

const number = z.unknown().transform(typedNumber)

/** How list prices become weights, as it is written into fields. */
export const pricingFields = z.object({
  credit_usd: number.pipe(pricing.shape.credit_usd),
  margin_percent: number.pipe(pricing.shape.margin_percent),
})

export const PRICING_MESSAGES = {
  credit_usd: 'Give a number above 0.',
  margin_percent: 'Give a number of percent from -90 up.',
} as const
