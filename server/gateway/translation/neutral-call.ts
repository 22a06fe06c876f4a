import type { JSONObject, LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider'

/** What an upstream may be unable to take, by our own word for it: an engine names these when it refuses. */
export type NeutralField =
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'stopSequences'
  | 'seed'
  | 'tools'
  | 'toolChoice'
  | 'parallelToolCalls'
  | 'responseFormat'
  | 'reasoning'
  | 'endUserId'
  | 'prompt'

/**
 * What a call says, whoever asked and whoever answers. `options` are the AI SDK's own, without what belongs to a single
 * exchange. Parts that may be refused for what they are (files above all) carry their place in the caller's body, put
 * there by `atField`.
 */
export type NeutralCall = {
  readonly options: Omit<
    LanguageModelV4CallOptions,
    'abortSignal' | 'headers' | 'includeRawChunks' | 'providerOptions'
  >
  /** false: at most one tool call an answer. */
  readonly parallelToolCalls?: boolean
  /** Reasoning tokens, where the caller gave a number of them instead of an effort. */
  readonly reasoningBudgetTokens?: number
  /** The caller's own name for the person it asks for. */
  readonly endUserId?: string
  /** What the caller's dialect calls each of these: `stop`, `stop_sequences` … */
  readonly fieldNames: Readonly<Partial<Record<NeutralField, string>>>
  /** Fields that were accepted but say nothing to any other protocol; the caller is told of them. */
  readonly unused: readonly string[]
}

/** Our own name among the provider options: engines read it, the SDK's packages pass it by. */
const OWN = 'goldweight'

/** How long a written cache entry lives; upstreams that know fewer lives take the next that they know. */
export type CacheLife = '5m' | '30m' | '1h' | '12h'

function merge(...options: readonly (SharedV4ProviderOptions | undefined)[]): SharedV4ProviderOptions {
  const merged: Record<string, JSONObject> = {}
  for (const given of options) {
    for (const [name, values] of Object.entries(given ?? {})) merged[name] = { ...merged[name], ...values }
  }
  return merged
}

/** Marks a part with its place in the caller's body, such as `messages.0.content.1.image_url`. */
export function atField(field: string, options?: SharedV4ProviderOptions): SharedV4ProviderOptions {
  return merge(options, { [OWN]: { field } })
}

/** Marks a message, part or tool as the end of what is to be cached. */
export function withCacheBreakpoint(
  life: CacheLife | null,
  options?: SharedV4ProviderOptions,
): SharedV4ProviderOptions {
  return merge(options, { [OWN]: { cacheLife: life ?? 'default' } })
}

/** The place that `atField` noted; null where there is none. */
export function fieldOf(options: SharedV4ProviderOptions | undefined): string | null {
  const field = options?.[OWN]?.field
  return typeof field === 'string' ? field : null
}

/** The breakpoint that `withCacheBreakpoint` noted; undefined where there is none. */
export function cacheLifeOf(options: SharedV4ProviderOptions | undefined): CacheLife | 'default' | undefined {
  const life = options?.[OWN]?.cacheLife
  // `withCacheBreakpoint` is its only writer.
  return life as CacheLife | 'default' | undefined
}
