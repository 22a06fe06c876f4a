import type { MetadataExtractor } from '@ai-sdk/openai-compatible'
import type { JSONObject, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { ServiceError } from '#contract/errors.ts'
import { readUsage } from '#gateway/metering/usage.ts'
import {
  hasCacheBreakpoint,
  refuseFiles,
  refuseSettings,
  withBreakpoints,
} from '#gateway/translation/adapt-call.ts'
import type { AdaptedCall, Connection, Engine } from '#gateway/translation/engine.ts'
import type { CacheLife, NeutralCall } from '#gateway/translation/neutral-call.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { OpenaiFlavour } from './flavours.ts'

/** What the package goes by among options and metadata. */
const NAME = 'openaiCompatible'

const FILES = { types: ['image', 'audio/', 'application/pdf', 'text/'], inToolResults: 'none' } as const

/** Where an upstream is, and how it is told who calls; where that is more than a base URL and a key. */
export type OpenaiAddress = {
  readonly url: (baseUrl: string, upstreamModel: string, path: string) => string
  readonly authorization: (credential: string) => Readonly<Record<string, string>>
}

/** OpenAI's chat completions, for callers of other dialects. */
export function createOpenaiEngine(flavour: OpenaiFlavour, address?: OpenaiAddress): Engine {
  return {
    adapt: call => adaptToOpenai(call, flavour),
    languageModel: connection => openaiModel(connection, flavour, address),
    readUsage: (raw, _model, metadata) => readUsage(raw ?? metadata?.[NAME]?.usageElsewhere, 'chat'),
    finalMark: 'data: [DONE]',
  }
}

/** Groq reports a stream's usage beside its own request id: https://console.groq.com/docs (2026-11). */
const usageElsewhere: MetadataExtractor = {
  extractMetadata: async () => undefined,
  createStreamExtractor: () => {
    let found: JSONObject | null = null
    return {
      processChunk: chunk => {
        const own = typeof chunk === 'object' && chunk !== null && 'x_groq' in chunk ? chunk.x_groq : null
        if (typeof own === 'object' && own !== null && 'usage' in own && typeof own.usage === 'object') {
          // It came out of JSON, and is read with care where it is used.
          found = own.usage as JSONObject | null
        }
      },
      buildMetadata: () => (found === null ? undefined : { [NAME]: { usageElsewhere: found } }),
    }
  },
}

async function openaiModel(
  { provider, upstreamModel, fetch }: Connection,
  { reportsUnasked, maxTokens = 'max_tokens' }: OpenaiFlavour,
  address?: OpenaiAddress,
) {
  const { OpenAICompatibleChatLanguageModel } = await import('@ai-sdk/openai-compatible')
  const { baseUrl, credential } = provider
  const authorize = address?.authorization ?? (key => ({ authorization: `Bearer ${key}` }))
  return new OpenAICompatibleChatLanguageModel(upstreamModel, {
    provider: `${NAME}.chat`,
    url: ({ path }) => address?.url(baseUrl, upstreamModel, path) ?? `${baseUrl}${path}`,
    headers: credential === null ? {} : authorize(credential),
    fetch,
    includeUsage: !reportsUnasked,
    supportsStructuredOutputs: true,
    metadataExtractor: usageElsewhere,
    // It fetches pictures itself.
    supportedUrls: () => ({ 'image/*': [/^https?:\/\//] }),
    transformRequestBody: ({ max_tokens: limit, ...body }) =>
      limit === undefined ? body : { ...body, [maxTokens]: limit },
  })
}

function adaptToOpenai(
  call: NeutralCall,
  { takesCacheControl }: OpenaiFlavour,
): Outcome<AdaptedCall, ServiceError> {
  const refusal = refuseSettings(call, ['topK']) ?? refuseFiles(call, FILES)
  if (refusal) return refused(refusal)
  const { parallelToolCalls, endUserId } = call
  return accepted({
    options: {
      ...withBreakpoints(call, takesCacheControl ? cacheControl : () => ({})),
      ...effort(call),
      providerOptions: {
        openaiCompatible: {
          ...(endUserId === undefined ? {} : { user: endUserId }),
          ...(parallelToolCalls === undefined || !call.options.tools
            ? {}
            : { parallel_tool_calls: parallelToolCalls }),
        },
      },
    },
    // Others keep what they have seen without being told.
    unused: hasCacheBreakpoint(call) && !takesCacheControl ? ['cache breakpoints'] : [],
    mustBeSent: [],
  })
}

/**
 * How hard to think is said here in words: a number of tokens becomes the word that is nearest to it. The bounds are
 * between the numbers that Anthropic's own clients have for little, more and most thinking: 4,000, 10,000, 31,999.
 */
const EFFORTS = [
  { upTo: 6_000, effort: 'low' },
  { upTo: 20_000, effort: 'medium' },
  { upTo: Number.POSITIVE_INFINITY, effort: 'high' },
] as const

function effort({
  options,
  reasoningBudgetTokens: budget,
}: NeutralCall): Pick<NeutralCall['options'], 'reasoning'> {
  if (budget === undefined || options.reasoning !== undefined) return {}
  return { reasoning: EFFORTS.find(({ upTo }) => budget <= upTo)?.effort }
}

/** https://openrouter.ai/docs/features/prompt-caching (2026-11) */
function cacheControl(life: CacheLife | 'default'): SharedV4ProviderOptions {
  const ttl = life === 'default' || life === '5m' ? {} : { ttl: '1h' }
  return { openaiCompatible: { cache_control: { type: 'ephemeral', ...ttl } } }
}
