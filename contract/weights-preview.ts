import { z } from 'zod'
import { modelBasis } from './catalog.ts'
import { credits, timestamp } from './primitives.ts'
import { modelWeights, tokenBuckets, unitWeights } from './usage.ts'

export const previewWeights = z.object({
  model: z.string().max(200),
  weights: modelWeights,
  unit_weights: unitWeights.nullish().describe('left out: those that the model has'),
  based_on: modelBasis.optional(),
})

/** What the same requests come to, by the weights as they are and as they would be. */
const effect = z.object({
  requests: z.number().int(),
  from: timestamp.describe('of the oldest of them'),
  current: credits.nullable().describe('by the weights as they are; null for a model without weights'),
  proposed: credits.describe('by the weights that are proposed'),
  difference: credits.nullable().describe('proposed less current'),
})

/** What the last 30 days come to, by the weights as they are and as they would be. */
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
    .array(z.enum(['tiers', 'cache_write_1h', 'units']))
    .describe(
      'what sums of usage do not tell: tokens are reckoned by the base weights on both sides, and units not at all',
    ),
  recent: effect
    .nullable()
    .describe(
      'the newest of these requests, 1,000 at most, each reckoned as it is charged: with tiers, longer cache lives and units; null where none is on record',
    ),
})
