import { z } from 'zod'
import { credits, moment, named, page, pageQuery, timestamp } from './primitives.ts'

/** Tokens in four disjoint buckets: each token is counted in exactly one. */
export const tokenBuckets = z.object({
  input: z.number().int().min(0),
  cache_read: z.number().int().min(0),
  cache_write: z.number().int().min(0),
  output: z.number().int().min(0),
  cache_write_1h: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('how many of cache_write were written to live for an hour'),
})

export type TokenBuckets = z.infer<typeof tokenBuckets>

/** Credits per million tokens, one weight a bucket. */
export const weights = z.object({
  input: z.number().min(0),
  cache_read: z.number().min(0),
  cache_write: z.number().min(0),
  output: z.number().min(0),
})

export type Weights = z.infer<typeof weights>

const tierWeights = z.strictObject({
  ...weights.shape,
  cache_write_1h: z
    .number()
    .min(0)
    .optional()
    .describe('of cache writes that live for an hour; those of cache_write where it is not given'),
})

/** All weights of a model: the four, what longer lives in a cache weigh, and what longer requests weigh. */
export const modelWeights = tierWeights.extend({
  tiers: z
    .array(
      z.strictObject({
        above_input_tokens: z.number().int().min(1).max(1_000_000_000),
        weights: tierWeights,
      }),
    )
    .max(10)
    .optional()
    .describe(
      'of requests with more input, cache reads and cache writes together: the tier with the highest bound below them weighs all of the request',
    ),
})

export type TierWeights = z.infer<typeof tierWeights>
export type ModelWeights = z.infer<typeof modelWeights>

/** The weights that one request was charged by. */
export const appliedWeights = weights.extend({
  cache_write_1h: z.number().min(0).optional(),
  above_input_tokens: z
    .number()
    .int()
    .optional()
    .describe("the bound of the model's tier that the request was above; absent where none was"),
})

/** What some endpoints are charged by beside tokens. */
export const unitName = z.enum(['image', 'second', 'search', 'character'])
export type UnitName = z.infer<typeof unitName>

/** Credits per image, per second of audio and per search; per million characters. */
export const unitWeights = z.strictObject({
  image: z.number().min(0).optional(),
  second: z.number().min(0).optional(),
  search: z.number().min(0).optional(),
  character: z.number().min(0).optional(),
})

export type UnitWeights = z.infer<typeof unitWeights>

export const requestStatus = z.enum(['succeeded', 'failed', 'cancelled'])
export type RequestStatus = z.infer<typeof requestStatus>

/** What can be asked of a model: one name a generation route. A model that serves `chat` serves messages and responses too. */
export const endpointName = z.enum([
  'chat',
  'messages',
  'responses',
  'completions',
  'embeddings',
  'moderations',
  'images',
  'image_edits',
  'image_variations',
  'speech',
  'transcriptions',
  'translations',
  'rerank',
])
export type EndpointName = z.infer<typeof endpointName>

/** The unit that an endpoint is charged by beside tokens; all others are charged by tokens alone. */
export const UNIT_OF: Readonly<Partial<Record<EndpointName, UnitName>>> = {
  images: 'image',
  image_edits: 'image',
  image_variations: 'image',
  speech: 'character',
  transcriptions: 'second',
  translations: 'second',
  rerank: 'search',
}

/** Where the counts come from: the upstream's report, the request itself, or an estimate of either. */
export const usageSource = z.enum(['upstream', 'request', 'estimate'])
export type UsageSource = z.infer<typeof usageSource>

/** How one attempt to have a request answered by one upstream ended. */
export const attemptOutcome = z.enum([
  'answered',
  /** A stream that had begun. */
  'broke_off',
  'throttled',
  'timed_out',
  'failed',
  'refused',
  'not_carried_over',
  'client_left',
])
export type AttemptOutcome = z.infer<typeof attemptOutcome>

export const requestAttempt = z.object({
  provider: z.string(),
  upstream_model: z.string(),
  outcome: attemptOutcome,
  http_status: z.number().int().nullable().describe("the upstream's; null where it gave none"),
  duration_ms: z.number().describe('until the answer, or its first event, was there'),
})
export type RequestAttempt = z.infer<typeof requestAttempt>

/** One request and what it cost: enough to check the charge by hand. */
export const requestRecord = z.object({
  id: z.string(),
  object: z.literal('request'),
  created_at: timestamp,
  key_id: z.string(),
  model: z.string().nullable().describe('null when the body could not be read'),
  endpoint: endpointName,
  stream: z.boolean(),
  route: z.object({ provider: z.string(), upstream_model: z.string() }).nullable(),
  status: requestStatus,
  http_status: z.number().int(),
  usage: tokenBuckets,
  weights: appliedWeights
    .nullable()
    .describe('as pinned when the request was taken in; null when no model was found'),
  unit: z
    .object({ name: unitName, count: z.number().int().min(0), weight: z.number().min(0) })
    .nullable()
    .describe('what was charged beside tokens; null where nothing was'),
  credits,
  usage_source: usageSource.nullable(),
  latency_ms: z.number(),
  time_to_first_token_ms: z.number().nullable(),
  error: z.object({ type: z.string(), code: z.string().nullable() }).nullable(),
  attempts: z
    .array(requestAttempt)
    .describe('one after the other, all for one charge; empty where the first route answered'),
  client_request_id: z.string().nullable(),
})

export const requestPage = page(requestRecord)

/** One line of a receipt: so many tokens of one bucket, or units, at their weight. */
const receiptLine = z.object({
  item: z
    .enum(['input', 'cache_read', 'cache_write', 'cache_write_1h', 'output', ...unitName.options])
    .describe('cache_write and cache_write_1h are disjoint parts of one bucket'),
  count: z.number().int(),
  weight: z.string().describe('in credits, as an exact decimal'),
  per: z
    .number()
    .int()
    .describe('how many the weight is for: a million tokens or characters, one of all else'),
  credits: z.string().describe('count times weight by `per`, as an exact decimal'),
})

/** How a charge came about, to be checked by hand: no number in it is rounded but the last. */
export const requestReceipt = z.object({
  lines: z.array(receiptLine),
  sum: z.string().describe('of the lines, in credits, as an exact decimal'),
  charged: z.string().describe('the sum rounded up once to a millionth of a credit'),
  usage_source: usageSource.nullable().describe('the origin of the counts'),
  ledger_entry: z
    .object({ id: z.string(), balance_after: credits, created_at: timestamp })
    .describe('the charge on the ledger'),
})

export type RequestReceipt = z.infer<typeof requestReceipt>

export const requestDetail = requestRecord.extend({
  receipt: requestReceipt.nullable().describe('null for a request that was not charged'),
})

export type RequestDetail = z.infer<typeof requestDetail>

/** A request with whose it was. */
export const ownedRequestRecord = requestRecord.extend({ account_id: z.string() })

/** A request as administrators see it. */
export const adminRequestRecord = ownedRequestRecord.extend({ account: named })
export const adminRequestPage = page(adminRequestRecord)
export const ownedRequestDetail = ownedRequestRecord.extend({ receipt: requestDetail.shape.receipt })
export const adminRequestDetail = adminRequestRecord.extend({ receipt: requestDetail.shape.receipt })

/** What narrows a list of requests down. */
export const requestFilter = z.object({
  key_id: z.string().max(100).optional(),
  model: z.string().max(500).optional(),
  status: requestStatus.optional(),
  from: moment.optional(),
  to: moment.optional().describe('itself not part of the span'),
})

export const adminRequestFilter = requestFilter.extend({
  account_id: z.string().max(100).optional(),
  provider: z.string().max(200).optional(),
  id: z.string().max(100).optional().describe('one request by its id'),
})

export const requestQuery = pageQuery.extend(requestFilter.shape)
export const adminRequestQuery = pageQuery.extend(adminRequestFilter.shape)
