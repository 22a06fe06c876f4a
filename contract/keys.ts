import { z } from 'zod'
import { modelId } from './catalog.ts'
import { displayName, named, page, pageQuery, searchText, timestamp } from './primitives.ts'

/** What one key may do: `requests` in any `window_seconds`, and `concurrency` of them in flight. */
export const keyLimits = z.object({
  requests: z.number().int().min(1).max(1_000_000),
  window_seconds: z.number().int().min(1).max(86_400),
  concurrency: z.number().int().min(1).max(100_000),
})

export type KeyLimits = z.infer<typeof keyLimits>

/** The models that one key may use. */
const modelsOfKey = z.array(modelId).min(1).max(200)

/** What one key may spend in a calendar day or month, in UTC. */
export const spendingCap = z.object({
  credits: z.number().positive().max(1_000_000_000).describe('up to six decimals'),
  period: z.enum(['day', 'month']),
})

export type SpendingCap = z.infer<typeof spendingCap>

export const apiKey = z.object({
  id: z.string(),
  object: z.literal('api_key'),
  name: z.string(),
  hint: z.string().describe('identifies the token without giving it away, such as gw_Ab3…x9Q'),
  user_id: z.string(),
  limits: keyLimits,
  models: z.array(z.string()).nullable().describe('the only models it may use; null for all'),
  spending_cap: spendingCap.nullable(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
})

/** The answer that makes a key: the only one that ever shows the token. */
export const createdApiKey = apiKey.extend({ token: z.string() })

export const apiKeyPage = page(apiKey)

/** A key in the operator's list of all. */
export const listedApiKey = apiKey.extend({ user: named, account: named })

export const listedApiKeyPage = page(listedApiKey)

export const adminKeyQuery = pageQuery.extend({
  user_id: z.string().optional(),
  account_id: z.string().optional(),
  search: searchText.describe('a part of the name, hint or id'),
})

export const createClientKey = z.object({ name: displayName, expires_at: timestamp.nullish() })

/** What users change of their own keys; limits are the operator's. */
export const patchClientKey = z.object({ name: displayName })

export const createAdminKey = z.object({
  user_id: z.string(),
  name: displayName,
  limits: keyLimits.partial().optional(),
  models: modelsOfKey.nullish(),
  spending_cap: spendingCap.nullish(),
  expires_at: timestamp.nullish(),
})

export const patchAdminKey = z.object({
  name: displayName.optional(),
  limits: keyLimits.partial().optional(),
  models: modelsOfKey.nullish().describe('null for all'),
  spending_cap: spendingCap.nullish().describe('null takes it away'),
  expires_at: timestamp.nullish(),
})

export type ApiKeyRecord = z.infer<typeof apiKey>

/** What counts against the limits of one key now. */
export const liveUse = z.object({
  object: z.literal('live_use'),
  key_id: z.string(),
  name: z.string(),
  hint: z.string(),
  requests: z.number().int().describe('in the window that ends now'),
  in_flight: z.number().int(),
  limits: keyLimits,
})

export const liveUseList = z.object({
  object: z.literal('list'),
  data: z.array(liveUse),
  next_cursor: z.null(),
})
