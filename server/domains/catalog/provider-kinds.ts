import { PROVIDER_KINDS, type ProviderKind } from '#contract/catalog.ts'

/** What is known of a kind of upstream before any is set up. */
export type KindFacts = {
  /** Where its maker serves it; null where every customer has an address of its own. */
  readonly baseUrl: string | null
  /** What such an address looks like. */
  readonly example?: string
  /** Whether the address may name a version of the API in its query. */
  readonly takesApiVersion?: true
}

/** As their makers document them in November 2026. */
export const KIND_FACTS: Readonly<Record<ProviderKind, KindFacts>> = {
  openai: { baseUrl: 'https://api.openai.com/v1' },
  azure: {
    baseUrl: null,
    example:
      'https://RESOURCE.openai.azure.com/openai/v1, or https://RESOURCE.openai.azure.com/openai?api-version=2024-10-21 for addresses by deployment',
    takesApiVersion: true,
  },
  mistral: { baseUrl: 'https://api.mistral.ai/v1' },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1' },
  groq: { baseUrl: 'https://api.groq.com/openai/v1' },
  xai: { baseUrl: 'https://api.x.ai/v1' },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1' },
  ollama: { baseUrl: 'http://127.0.0.1:11434/v1' },
  vllm: { baseUrl: 'http://127.0.0.1:8000/v1' },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1' },
  gemini: { baseUrl: 'https://generativelanguage.googleapis.com/v1beta' },
  vertex: {
    baseUrl: null,
    example: 'https://REGION-aiplatform.googleapis.com/v1/projects/PROJECT/locations/REGION',
  },
  bedrock: { baseUrl: null, example: 'https://bedrock-runtime.REGION.amazonaws.com' },
  cohere: { baseUrl: 'https://api.cohere.com/v2' },
}

/** The facts of a kind; null for one that no administrator can set up. */
export function factsOf(kind: string): KindFacts | null {
  const known = PROVIDER_KINDS.find(name => name === kind)
  return known === undefined ? null : KIND_FACTS[known]
}
