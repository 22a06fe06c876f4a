import { z } from 'zod'
import { createModel, createProvider } from './catalog.ts'
import { displayName } from './primitives.ts'
import { endpointName, modelWeights } from './usage.ts'

/** What came of asking a provider for its models. */
export const providerVerdict = z.enum([
  'ok',
  'unreachable',
  'timed_out',
  'credential_refused',
  'not_found',
  'throttled',
  'failed',
  'unexpected_answer',
  'unreadable_credential',
])

export type ProviderVerdict = z.infer<typeof providerVerdict>

export const providerTest = z.object({
  object: z.literal('provider_test'),
  ok: z.boolean(),
  verdict: providerVerdict,
  latency_ms: z.number(),
  message: z.string().describe('what the provider answered, without any secret'),
})

/** A provider as it would be saved. What is left out is that of the provider that `provider_id` names. */
export const providerTrial = createProvider.omit({ name: true, enabled: true }).extend({
  provider_id: z
    .string()
    .optional()
    .describe(
      'a saved provider, whose credential and headers are kept; at another server they are given again',
    ),
})

/** A model as its provider tells of it; null is what it does not tell. */
export const discoveredModel = z.object({
  upstream_model: z.string(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  context_window: z.number().int().nullable(),
  max_output_tokens: z.number().int().nullable(),
  modalities: z.object({ input: z.array(z.string()), output: z.array(z.string()) }).nullable(),
  endpoints: z.array(endpointName).describe('as told, or else by its name'),
  list_price: modelWeights
    .nullable()
    .describe('US dollars, as weights would be; null: not on the price list'),
  models: z.array(z.string()).describe('models of the catalogue that have a route to it'),
})

export type DiscoveredModel = z.infer<typeof discoveredModel>

export const providerDiscovery = providerTest.extend({
  object: z.literal('provider_discovery'),
  models: z.array(discoveredModel),
})

/** How list prices become weights. */
export const pricing = z.strictObject({
  credit_usd: z.number().positive().max(1_000_000).describe('what a credit is worth, in US dollars'),
  margin_percent: z.number().min(-90).max(100_000).describe('on top of the list price'),
})

export type Pricing = z.infer<typeof pricing>

const importedModel = createModel
  .omit({ routes: true, name: true })
  .extend({ upstream_model: z.string().min(1).max(300), name: displayName.optional() })

export const importModels = z.object({
  models: z.array(importedModel).min(1).max(200),
  pricing: pricing
    .partial()
    .optional()
    .describe(
      'models that come without weights are weighed by the price list; what is left out follows the settings',
    ),
})

export const importedModels = z.object({
  object: z.literal('list'),
  data: z.array(z.object({ id: z.string(), enabled: z.boolean() })),
})

/** Which model's list price is wanted, and how it becomes weights; what is left out follows the settings. */
export const weightQuestion = z.object({
  provider_id: z.string().max(100).optional().describe('whose prices; left out: whoever lists the model'),
  upstream_model: z.string().min(1).max(300),
  endpoint: endpointName.default('chat'),
  credit_usd: z.coerce.number().pipe(pricing.shape.credit_usd).optional(),
  margin_percent: z.coerce.number().pipe(pricing.shape.margin_percent).optional(),
})

const suggestionLine = z.object({
  item: z.enum(['input', 'cache_read', 'cache_write', 'cache_write_1h', 'output']),
  above_input_tokens: z.number().int().nullable().describe('of a tier of longer requests; null: the base'),
  list_price_usd: z.string().describe('for a million tokens, as an exact decimal'),
  weight: z.string().describe('credits for a million tokens, as an exact decimal'),
  calculation: z.string().describe('how the one became the other'),
})

export const weightSuggestion = z.object({
  object: z.literal('weight_suggestion'),
  listed_by: z.string().describe('the provider, as the price list calls it'),
  name: z.string().nullable(),
  context_window: z.number().int().nullable(),
  pricing,
  weights: modelWeights.describe('ready to be saved'),
  lines: z.array(suggestionLine),
})
