import { z } from 'zod'
import { displayName, page, timestamp } from './primitives.ts'
import { endpointName, modelWeights, unitWeights } from './usage.ts'

/** A model's public name: letters, digits and the marks that vendors use, slashes among them. */
export const modelId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:@/+-]*$/, 'may hold letters, digits and . _ : @ / + -')

const modality = z.string().min(1).max(100)
const modalities = z.object({ input: z.array(modality).max(20), output: z.array(modality).max(20) })

export const catalogEntry = z.object({
  id: z.string(),
  object: z.literal('catalog_entry'),
  name: z.string(),
  description: z.string().nullable(),
  owned_by: z.string(),
  created: z.number().int(),
  context_window: z.number().int().nullable(),
  max_output_tokens: z.number().int().nullable(),
  modalities,
  capabilities: z.array(z.string()),
  endpoints: z.array(endpointName),
  weights: modelWeights,
  unit_weights: unitWeights.nullable(),
  status: z.enum(['available', 'degraded', 'deprecated']),
})

export const catalogList = z.object({ object: z.literal('list'), data: z.array(catalogEntry) })

export const openaiModel = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
})

export const openaiModelList = z.object({ object: z.literal('list'), data: z.array(openaiModel) })

export const routeInput = z.object({
  provider_id: z.string(),
  upstream_model: z.string().min(1).max(300),
  priority: z.number().int().min(0).max(1000).default(0),
  weight: z.number().int().min(0).max(1_000_000).default(1),
  cost: z
    .number()
    .min(0)
    .max(1e9)
    .nullish()
    .describe('what it costs the operator, in any measure that is the same for all routes of the model'),
})

/** Among routes of one priority: by their weights, or the one first that answers soonest of late, or costs least. */
export const routingOrder = z.enum(['shares', 'least_latency', 'least_cost'])
export type RoutingOrder = z.infer<typeof routingOrder>

/** How the routes of a model are tried. */
export const modelRouting = z.strictObject({
  order: routingOrder,
  retries: z
    .number()
    .int()
    .min(0)
    .max(5)
    .describe('how often routes that failed are asked again once all were asked'),
  max_attempts: z.number().int().min(1).max(50).describe('a ceiling on the attempts of one request'),
  max_ms: z
    .number()
    .int()
    .min(100)
    .max(3_600_000)
    .nullable()
    .describe(
      'how long a request may wait for its answer, or the first event of it, over all attempts; null: as the time-outs of the providers let it, and no attempt begins after ten minutes',
    ),
})

/** What may be said of a model when it is made, and changed later. */
const modelFields = {
  name: displayName.optional(),
  description: z.string().max(4000).nullish(),
  owned_by: z.string().min(1).max(200).optional(),
  context_window: z.number().int().min(0).max(1_000_000_000).nullish(),
  max_output_tokens: z.number().int().min(0).max(1_000_000_000).nullish(),
  modalities: modalities.optional(),
  capabilities: z.array(z.string().min(1).max(100)).max(100).optional(),
  endpoints: z.array(endpointName).min(1).optional(),
  weights: modelWeights.nullish(),
  unit_weights: unitWeights.nullish().describe('needed for endpoints that are charged by units'),
  routes: z.array(routeInput).max(50).optional(),
  routing: modelRouting.partial().optional(),
  enabled: z.boolean().optional(),
  deprecated: z.boolean().optional(),
}

export const createModel = z.object({ id: modelId, ...modelFields })

/** What of a model somebody read before they wrote: another may have changed it since. */
export const modelBasis = z
  .object({
    weights: modelWeights.nullable(),
    unit_weights: unitWeights.nullable(),
    routes: z.array(routeInput).max(50),
  })
  .partial()
  .describe(
    'fields as they were read; 409 when one of them is not so any more. Left out: changed all the same',
  )

export const patchModel = z.object({ ...modelFields, based_on: modelBasis.optional() })

export const adminModel = z.object({
  id: z.string(),
  object: z.literal('model'),
  name: z.string(),
  description: z.string().nullable(),
  owned_by: z.string(),
  context_window: z.number().int().nullable(),
  max_output_tokens: z.number().int().nullable(),
  modalities,
  capabilities: z.array(z.string()),
  endpoints: z.array(endpointName),
  weights: modelWeights.nullable(),
  unit_weights: unitWeights.nullable(),
  routes: z.array(routeInput.extend({ id: z.string(), cost: z.number().nullable() })),
  routing: modelRouting,
  enabled: z.boolean(),
  deprecated: z.boolean(),
  created_at: timestamp,
})

export const adminModelPage = page(adminModel)

export const providerTimeouts = z.object({
  connect_ms: z.number().int().min(1).max(600_000),
  first_byte_ms: z.number().int().min(1).max(3_600_000),
  idle_ms: z.number().int().min(1).max(3_600_000),
})

export type ProviderTimeouts = z.infer<typeof providerTimeouts>

const credentialInput = z.union([z.string().min(1).max(20_000), z.record(z.string(), z.unknown())])

const providerFields = {
  name: displayName,
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .describe(
      'ends before /chat/completions, /messages, /models/… or /model/…; needed where the kind has no address of its own',
    ),
  credential: credentialInput
    .nullish()
    .describe(
      'a key; for azure, bedrock and vertex also a JSON object, as text or as it is. Left out of a change: kept, unless the address is that of another server',
    ),
  further_credentials: z
    .array(z.strictObject({ name: displayName, credential: credentialInput.optional() }))
    .max(50)
    .optional()
    .describe(
      'used in turns with `credential`, and each rests by itself when it is throttled or refused; the list takes the place of the one before, and an entry without a credential keeps what was kept under its name',
    ),
  endpoints: z
    .array(endpointName)
    .min(1)
    .max(endpointName.options.length)
    .nullish()
    .describe(
      'what this server serves itself, for OpenAI-compatible kinds; messages and responses that are not among it are translated to chat. null: all that its kind serves',
    ),
  headers: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string().max(4000)).optional(),
  timeouts: providerTimeouts.partial().optional(),
  enabled: z.boolean().optional(),
}

/**
 * The kinds of upstreams: protocols, and what tells servers of one protocol apart. `openai` is any OpenAI-compatible
 * server.
 */
export const PROVIDER_KINDS = [
  'openai',
  'azure',
  'mistral',
  'deepseek',
  'groq',
  'xai',
  'openrouter',
  'ollama',
  'vllm',
  'anthropic',
  'gemini',
  'vertex',
  'bedrock',
  'cohere',
] as const

export const providerKind = z.enum(PROVIDER_KINDS)
export type ProviderKind = z.infer<typeof providerKind>

export const createProvider = z.object({ ...providerFields, kind: providerKind })
export const patchProvider = z.object(providerFields).partial()

export const provider = z.object({
  id: z.string(),
  object: z.literal('provider'),
  name: z.string(),
  kind: z.string(),
  base_url: z.string(),
  has_credential: z.boolean(),
  further_credentials: z.array(z.object({ name: z.string() })),
  headers: z.record(z.string(), z.string()),
  timeouts: providerTimeouts,
  endpoints: z.array(endpointName).nullable(),
  enabled: z.boolean(),
  created_at: timestamp,
})

export const providerPage = page(provider)

const price = z.object({
  amount: z.number().int().min(0).describe("in the currency's minor unit"),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/)
    .transform(code => code.toUpperCase()),
})

export const creditPackage = z.object({
  id: z.string(),
  object: z.literal('package'),
  name: z.string(),
  credits: z.number(),
  price: z.object({ amount: z.number().int(), currency: z.string() }),
})

export const packageList = z.object({ object: z.literal('list'), data: z.array(creditPackage) })
/** All of them on one page, as the portal's lists are told. */
export const clientPackageList = packageList.extend({ next_cursor: z.null() })

export const adminPackage = creditPackage.extend({
  on_sale: z.boolean(),
  position: z.number().int(),
  created_at: timestamp,
})
export const adminPackagePage = page(adminPackage)

export const createPackage = z.object({
  name: displayName,
  credits: z.number().positive(),
  price,
  on_sale: z.boolean().optional(),
  position: z
    .number()
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('among those on sale: lower goes first, and the smaller of two that stand alike'),
})
export const patchPackage = createPackage.partial()
