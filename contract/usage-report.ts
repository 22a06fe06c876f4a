import { z } from 'zod'
import { credits, moment, timestamp } from './primitives.ts'
import { endpointName, tokenBuckets } from './usage.ts'

/** How long requests took, in whole milliseconds. Percentiles are read from fixed buckets, five a decade; in the rows of groups they are left out. */
export const durations = z
  .object({
    average: z.number().int(),
    p50: z.number().int().nullable(),
    p95: z.number().int().nullable(),
  })
  .nullable()
  .describe('null where there is none to measure; percentiles are null in the rows of groups')

/** Sums over requests, told by the moment in which each arrived. */
export const usageFigures = z.object({
  requests: z.number().int(),
  succeeded: z.number().int(),
  failed: z.number().int(),
  cancelled: z.number().int().describe('left by their client'),
  failures: z
    .object({
      invalid: z.number().int().describe('refused for what they asked'),
      throttled: z.number().int().describe('the upstream took no more requests'),
      upstream: z.number().int().describe('the upstream failed'),
      timeout: z.number().int().describe('the upstream was too slow'),
      service: z.number().int().describe('failed on our side, or no route was usable'),
    })
    .describe('the failed ones by their cause'),
  estimated: z.number().int().describe('charged by an estimate, since the upstream reported no counts'),
  usage: tokenBuckets,
  credits,
  latency_ms: durations.describe('of those that succeeded, from arrival to the last byte'),
  time_to_first_token_ms: durations.describe('of those that streamed'),
})

export type UsageFigures = z.infer<typeof usageFigures>

export const usageBucket = z.enum(['hour', 'day'])
export type UsageBucket = z.infer<typeof usageBucket>

export const clientGrouping = z.enum(['model', 'key'])
export const adminGrouping = z.enum(['model', 'key', 'account', 'provider', 'endpoint'])
export type UsageGrouping = z.infer<typeof adminGrouping>

/** Which group a row is about: the field that `group_by` names, or `others`. Absent where nothing is grouped. */
const group = z.object({
  model: z.string().nullable().optional().describe('null: no model that was to be had'),
  key_id: z.string().optional(),
  account_id: z.string().optional(),
  provider: z.string().nullable().optional().describe('null: no upstream was tried'),
  endpoint: z.string().optional(),
  label: z.string().optional().describe('what people call it: the name of the key or account, the model'),
  others: z.literal(true).optional().describe('all groups that are not listed by themselves'),
})

export const usageGroup = group.extend(usageFigures.shape)
export type UsageGroup = z.infer<typeof usageGroup>

export const usageRow = group.extend({
  object: z.literal('usage'),
  from: timestamp,
  to: timestamp.describe('the end of the hour or day, itself not part of it'),
  ...usageFigures.shape,
})
export type UsageRow = z.infer<typeof usageRow>

/** Usage over a span: in all, by group, and by hour or day. Sums of `groups` and of `data` are those of `totals`. */
export const usageReport = z.object({
  object: z.literal('list'),
  from: timestamp.describe('as asked, moved back to where its hour or day begins'),
  to: timestamp.describe('as asked, moved on to where its hour or day ends; itself not part of the span'),
  bucket: usageBucket,
  group_by: adminGrouping.nullable(),
  totals: usageFigures,
  groups: z
    .array(usageGroup)
    .describe('the most expensive first, at most 100 and the others; empty if not grouped'),
  data: z.array(usageRow).describe('in the order of time; hours and days without requests are left out'),
  next_cursor: z.null(),
})
export type UsageReport = z.infer<typeof usageReport>

/** Which hours or days are wanted. Without `from` and `to`: the 30 days, or 24 hours, up to now. */
export const usageSpanQuery = z.object({
  from: moment.optional(),
  to: moment.optional(),
  bucket: usageBucket.default('day'),
  tz: z
    .string()
    .regex(/^(Z|UTC|[+ -](0\d|1[0-4]):00)$/, 'must be whole hours from UTC, such as +02:00')
    .optional()
    .describe('where days begin, in whole hours from UTC; hours are the same everywhere'),
})

const filters = { key_id: z.string().max(100).optional(), model: z.string().max(200).optional() }

export const clientUsageQuery = usageSpanQuery.extend({
  ...filters,
  group_by: clientGrouping.optional(),
  top: z.coerce.number().int().min(1).max(20).default(5).describe('how many groups have rows of their own'),
})

export const adminUsageQuery = clientUsageQuery.extend({
  group_by: adminGrouping.optional(),
  account_id: z.string().max(100).optional(),
  provider: z.string().max(200).optional(),
  endpoint: endpointName.optional(),
})

export type UsageQueryInput = z.infer<typeof adminUsageQuery>
