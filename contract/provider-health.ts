import { z } from 'zod'
import { moment, timestamp } from './primitives.ts'

const count = z.number().int()

/** How attempts at a provider fared. A request that was sent to it twice is two attempts. */
export const healthFigures = z.object({
  attempts: count,
  answered: count.describe('those whose stream broke off later included'),
  rejected: count.describe('the request itself was refused: that says nothing against the provider'),
  failures: z
    .object({
      throttled: count.describe('it took no more requests'),
      timed_out: count,
      unreachable: count.describe('no connection, or it broke before there was an answer'),
      credential_refused: count,
      failed: count.describe('its answer was an error of its own, or no valid one'),
      broke_off: count.describe('the stream broke off after it had begun'),
    })
    .describe('what speaks against the provider, by its kind'),
  rests: count.describe('how often one of its routes was left alone for a while'),
  rest_seconds: z.number().describe('for how long, over all of them'),
  probes: count.describe('requests that were sent to find out whether a rest is over'),
  recoveries: count.describe('how often a route that had failed answered again'),
})

export type HealthFigures = z.infer<typeof healthFigures>

export const healthBucket = z.enum(['five_minutes', 'hour', 'day'])
export type HealthBucket = z.infer<typeof healthBucket>

/** Without `from` and `to`: the last 3 hours by five minutes, 24 hours by the hour, 30 days by the day. */
export const healthQuery = z.object({
  from: moment.optional(),
  to: moment.optional(),
  bucket: healthBucket
    .default('hour')
    .describe('five minutes are kept for 2 days, hours for 32, days for 400'),
})

export type HealthQuery = z.infer<typeof healthQuery>

/** The history of a provider: in all, by its models, and by five minutes, hour or day. */
export const providerHealth = z.object({
  object: z.literal('provider_health'),
  provider_id: z.string(),
  from: timestamp.describe('as asked, moved back to where its bucket begins'),
  to: timestamp.describe('as asked, moved on to where its bucket ends; itself not part of the span'),
  bucket: healthBucket,
  totals: healthFigures,
  models: z
    .array(healthFigures.extend({ upstream_model: z.string() }))
    .describe('by their names at the provider, the most attempts first, at most 100'),
  data: z
    .array(healthFigures.extend({ from: timestamp, to: timestamp }))
    .describe('in the order of time; days are those of UTC, and buckets without attempts are left out'),
})

export type ProviderHealth = z.infer<typeof providerHealth>

/** A provider at which a good part of the latest attempts came to nothing. */
export const illProvider = z.object({
  provider_id: z.string(),
  name: z.string(),
  attempts: count,
  failures: healthFigures.shape.failures,
})

export type IllProvider = z.infer<typeof illProvider>
