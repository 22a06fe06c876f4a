import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import { createPassThroughProvider } from '#gateway/providers/pass-through-provider.ts'
import type { Provider } from '#gateway/providers/provider.ts'
import type { Transport } from '#gateway/providers/transport.ts'

/** Any OpenAI-compatible server, reached over the given transport. */
export function createOpenaiProvider(parts: {
  readonly transport: Transport
  readonly offThread: OffThread
}): Provider {
  return createPassThroughProvider({
    ...parts,
    paths: { chat: '/chat/completions', responses: '/responses', embeddings: '/embeddings' },
    authorization: credential => ({ authorization: `Bearer ${credential}` }),
  })
}
