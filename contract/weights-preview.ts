import { z } from 'zod'
import { credits, timestamp } from './primitives.ts'
import { modelWeights, tokenBuckets } from './usage.ts'

export const previewWeights = z.object({ model: z.string().max(200), weights: modelWeights })

/** What the tokens of the last 30 days come to, by the weights as they are and as they would be. */
export const weightsPreview = z.object({
  object: z.literal('weights_preview'),
  model: z.string(),
  from: timestamp,
  to: timestamp,
  requests: z.number().int(),
  usage: tokenBuckets,
  charged: credits.describe('what was charged for these requests at the time'),
  current: credits.nullable().describe('by the weights as they are; null for a model without weights'),
  proposed: credits.describe('by the weights that are proposed'),
  difference: credits.nullable().describe('proposed less current'),
  leaves_out: z
    .array(z.enum(['tiers', 'cache_write_1h']))
    .describe('what sums of usage do not tell apart, and is reckoned by the base weights on both sides'),
})
