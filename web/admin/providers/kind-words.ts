import { PROVIDER_KINDS, type ProviderKind } from '#contract/catalog.ts'
import { factsOf } from '#contract/provider-kinds.ts'

const LABELS: Readonly<Record<ProviderKind, string>> = {
  openai: 'OpenAI, or any compatible server',
  azure: 'Azure OpenAI',
  mistral: 'Mistral',
  deepseek: 'DeepSeek',
  groq: 'Groq',
  xai: 'xAI',
  openrouter: 'OpenRouter',
  ollama: 'Ollama',
  vllm: 'vLLM',
  anthropic: 'Anthropic',
  gemini: 'Google Gemini',
  vertex: 'Google Vertex AI',
  bedrock: 'AWS Bedrock',
  cohere: 'Cohere',
}

/** Kinds that nobody sets up by hand. */
const BUILT_IN_LABELS: Readonly<Record<string, string>> = { demo: 'Built-in demonstration' }

/** What a kind of provider is called. */
export function kindLabel(kind: string): string {
  const known = PROVIDER_KINDS.find(name => name === kind)
  return known === undefined ? (BUILT_IN_LABELS[kind] ?? kind) : LABELS[known]
}

export const KIND_CHOICES = PROVIDER_KINDS.map(kind => ({ value: kind, label: LABELS[kind] }))

/** Where a provider of the kind is found. */
export function addressHint(kind: string): string {
  const facts = factsOf(kind)
  if (facts === null) return ''
  const { baseUrl, example } = facts
  return baseUrl === null ? `Such as ${example ?? ''}` : `Left empty: ${baseUrl}`
}

const CREDENTIAL_HINTS: Readonly<Partial<Record<ProviderKind, string>>> = {
  azure: 'A key of the resource, or an application of Entra as JSON: tenant_id, client_id, client_secret.',
  bedrock: 'A Bedrock API key, or a key of AWS as JSON: access_key_id, secret_access_key, region.',
  vertex: "The JSON key file of a service account, or a key of Vertex's API.",
}

export function credentialHint(kind: string): string {
  const known = PROVIDER_KINDS.find(name => name === kind)
  const own = known === undefined ? undefined : CREDENTIAL_HINTS[known]
  return own ?? 'An API key. It is encrypted, and never shown again.'
}
