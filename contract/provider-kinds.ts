import { PROVIDER_KINDS, type ProviderKind } from './catalog.ts'

/** What is known of a kind of upstream before any is set up. */
export type KindFacts = {
  /** Where its maker serves it; null where every customer has an address of its own. */
  readonly baseUrl: string | null
  /** What such an address looks like. */
  readonly example?: string
  /** Whether the address may name a version of the API in its query. */
  readonly takesApiVersion?: true
  /** Whether it speaks OpenAI's conventions, chat before all: such servers differ in what else they serve. */
  readonly speaksOpenai?: true
  /** What the price list calls it; left out for servers whose operators set prices of their own. */
  readonly priceListId?: string
}

/** As their makers document them in November 2026. */
const KIND_FACTS: Readonly<Record<ProviderKind, KindFacts>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', priceListId: 'openai', speaksOpenai: true },
  azure: {
    baseUrl: null,
    example:
      'https://RESOURCE.openai.azure.com/openai/v1, or https://RESOURCE.openai.azure.com/openai?api-version=2024-10-21 for addresses by deployment',
    takesApiVersion: true,
    speaksOpenai: true,
    priceListId: 'azure',
  },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', priceListId: 'mistral', speaksOpenai: true },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', priceListId: 'deepseek', speaksOpenai: true },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', priceListId: 'groq', speaksOpenai: true },
  xai: { baseUrl: 'https://api.x.ai/v1', priceListId: 'x-ai', speaksOpenai: true },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', priceListId: 'openrouter', speaksOpenai: true },
  ollama: { baseUrl: 'http://127.0.0.1:11434/v1', speaksOpenai: true },
  vllm: { baseUrl: 'http://127.0.0.1:8000/v1', speaksOpenai: true },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', priceListId: 'anthropic' },
  gemini: { baseUrl: 'https://generativelanguage.googleapis.com/v1beta', priceListId: 'google' },
  vertex: {
    baseUrl: null,
    example: 'https://REGION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/REGION',
    priceListId: 'google',
  },
  bedrock: {
    baseUrl: null,
    example: 'https://bedrock-runtime.REGION.amazonaws.com',
    priceListId: 'aws',
  },
  cohere: { baseUrl: 'https://api.cohere.com/v2', priceListId: 'cohere' },
}

/** The facts of a kind; null for one that no administrator can set up. */
export function factsOf(kind: string): KindFacts | null {
  const known = PROVIDER_KINDS.find(name => name === kind)
  return known === undefined ? null : KIND_FACTS[known]
}

/** Whether it can be said of a provider of the kind what its server serves. */
export function isOpenaiCompatible(kind: string): boolean {
  return factsOf(kind)?.speaksOpenai === true
}

/** Whether an address leads to another server than the one before: by scheme, host or port. */
export function isOtherServer(before: string, after: string): boolean {
  return originOf(before) !== originOf(after)
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address
}
