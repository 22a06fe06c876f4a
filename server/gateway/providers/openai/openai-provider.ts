import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import { createPassThroughProvider } from '#gateway/providers/pass-through-provider.ts'
import type { Provider } from '#gateway/providers/provider.ts'
import type { Transport } from '#gateway/providers/transport.ts'

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

/** Any OpenAI-compatible server, reached over the given transport. */
export function createOpenaiProvider(parts: {
  readonly transport: Transport
  readonly offThread: OffThread
}): Provider {
  return createPassThroughProvider({
    ...parts,
    paths: PATHS,
    authorization: credential => ({ authorization: `Bearer ${credential}` }),
  })
}
