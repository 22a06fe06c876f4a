import type { ProviderKind } from '#contract/catalog.ts'
import type { EndpointName } from '#contract/usage.ts'

/** What tells one OpenAI-compatible server from another: all of it is data. */
export type OpenaiFlavour = {
  /** Where below the base URL it serves each of the endpoints that it serves itself; others are translated. */
  readonly paths: Readonly<Partial<Record<EndpointName, string>>>
  /** Streams report their usage unasked, and the wish for it is refused. */
  readonly reportsUnasked?: boolean
  /** What a limit of the answer's tokens is called, where it isn't `max_tokens`. */
  readonly maxTokens?: string
  /** Parts may say where a cached prompt ends, as Anthropic's do. */
  readonly takesCacheControl?: boolean
}

/** Where OpenAI serves what; rerank is where servers that follow Cohere, Jina and vLLM have it. */
const PATHS = {
  chat: '/chat/completions',
  responses: '/responses',
  completions: '/completions',
  embeddings: '/embeddings',
  moderations: '/moderations',
  images: '/images/generations',
  image_edits: '/images/edits',
  image_variations: '/images/variations',
  speech: '/audio/speech',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
  rerank: '/rerank',
} as const

function some<Name extends keyof typeof PATHS>(...names: Name[]): Pick<typeof PATHS, Name> {
  // The entries are those of the names.
  return Object.fromEntries(names.map(name => [name, PATHS[name]])) as Pick<typeof PATHS, Name>
}

/** The demonstration upstream, which runs within the process. */
export const DEMO_FLAVOUR: OpenaiFlavour = { paths: some('chat') }

/** As their makers document them in November 2026. `openai` is any server that is not known by name, too. */
export const OPENAI_FLAVOURS = {
  openai: { paths: PATHS, maxTokens: 'max_completion_tokens' },
  azure: {
    paths: some(
      'chat',
      'responses',
      'completions',
      'embeddings',
      'images',
      'image_edits',
      'speech',
      'transcriptions',
      'translations',
    ),
    maxTokens: 'max_completion_tokens',
  },
  mistral: { paths: some('chat', 'embeddings', 'moderations', 'transcriptions'), reportsUnasked: true },
  deepseek: { paths: some('chat') },
  groq: { paths: some('chat', 'speech', 'transcriptions', 'translations') },
  xai: { paths: some('chat', 'responses', 'images'), maxTokens: 'max_completion_tokens' },
  openrouter: { paths: some('chat', 'embeddings'), takesCacheControl: true },
  ollama: { paths: some('chat', 'completions', 'embeddings') },
  vllm: {
    paths: some('chat', 'responses', 'completions', 'embeddings', 'transcriptions', 'translations', 'rerank'),
  },
} as const satisfies Partial<Record<ProviderKind, OpenaiFlavour>>
