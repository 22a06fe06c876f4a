import type { ProviderKind } from '#contract/catalog.ts'
import type { EndpointName } from '#contract/usage.ts'

/** A model that a well-known provider serves. */
export type PresetModel = {
  /** As callers name it. */
  readonly id: string
  readonly upstreamModel: string
  readonly endpoint: EndpointName
}

/** A well-known provider, set up when its key is found in the environment. */
export type ProviderPreset = {
  /** The name of the environment's variable that holds its key. */
  readonly variable: string
  readonly name: string
  /** Tells the address too. */
  readonly kind: ProviderKind
  /** What the price list calls the provider. */
  readonly priceListId: string
  readonly ownedBy: string
  readonly models: readonly PresetModel[]
}

function chat(upstreamModel: string, id = upstreamModel): PresetModel {
  return { id, upstreamModel, endpoint: 'chat' }
}

function embeddings(upstreamModel: string): PresetModel {
  return { id: upstreamModel, upstreamModel, endpoint: 'embeddings' }
}

/**
 * A short start, not a directory: administrators add what else they want. Makers' own models keep their own names, so
 * that programs written for them run unchanged; models that a provider serves for others are named after both.
 * As of November 2026.
 */
export const PROVIDER_PRESETS: readonly ProviderPreset[] = [
  {
    variable: 'OPENAI_API_KEY',
    name: 'OpenAI',
    kind: 'openai',
    priceListId: 'openai',
    ownedBy: 'openai',
    models: [
      chat('gpt-6-sol'),
      chat('gpt-6-luna'),
      chat('gpt-5.4-mini'),
      chat('gpt-4.1'),
      embeddings('text-embedding-3-small'),
      embeddings('text-embedding-3-large'),
    ],
  },
  {
    variable: 'ANTHROPIC_API_KEY',
    name: 'Anthropic',
    kind: 'anthropic',
    priceListId: 'anthropic',
    ownedBy: 'anthropic',
    models: [chat('claude-opus-5-5'), chat('claude-sonnet-5'), chat('claude-haiku-4-5')],
  },
  {
    variable: 'GEMINI_API_KEY',
    name: 'Google Gemini',
    kind: 'gemini',
    priceListId: 'google',
    ownedBy: 'google',
    models: [
      chat('gemini-3.1-pro-preview'),
      chat('gemini-3.8-flash'),
      chat('gemini-3.5-flash-lite'),
      embeddings('gemini-embedding-001'),
    ],
  },
  {
    variable: 'MISTRAL_API_KEY',
    name: 'Mistral',
    kind: 'mistral',
    priceListId: 'mistral',
    ownedBy: 'mistral',
    models: [chat('mistral-large-2512'), chat('mistral-medium-latest'), embeddings('mistral-embed')],
  },
  {
    variable: 'GROQ_API_KEY',
    name: 'Groq',
    kind: 'groq',
    priceListId: 'groq',
    ownedBy: 'groq',
    models: [
      chat('openai/gpt-oss-120b', 'groq/gpt-oss-120b'),
      chat('openai/gpt-oss-20b', 'groq/gpt-oss-20b'),
      chat('llama-3.3-70b-versatile', 'groq/llama-3.3-70b-versatile'),
    ],
  },
  {
    variable: 'DEEPSEEK_API_KEY',
    name: 'DeepSeek',
    kind: 'deepseek',
    priceListId: 'deepseek',
    ownedBy: 'deepseek',
    models: [chat('deepseek-v4-pro'), chat('deepseek-v4-flash')],
  },
  {
    variable: 'XAI_API_KEY',
    name: 'xAI',
    kind: 'xai',
    priceListId: 'x-ai',
    ownedBy: 'xai',
    models: [chat('grok-4.6'), chat('grok-4.5')],
  },
  {
    variable: 'OPENROUTER_API_KEY',
    name: 'OpenRouter',
    kind: 'openrouter',
    priceListId: 'openrouter',
    ownedBy: 'openrouter',
    models: [
      chat('openai/gpt-6-sol', 'openrouter/openai/gpt-6-sol'),
      chat('anthropic/claude-opus-5.5', 'openrouter/anthropic/claude-opus-5.5'),
      chat('deepseek/deepseek-v4-pro', 'openrouter/deepseek/deepseek-v4-pro'),
    ],
  },
  {
    variable: 'COHERE_API_KEY',
    name: 'Cohere',
    kind: 'cohere',
    priceListId: 'cohere',
    ownedBy: 'cohere',
    models: [chat('command-a-03-2025'), chat('command-r7b-12-2024'), embeddings('embed-v4.0')],
  },
]
