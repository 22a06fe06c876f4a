import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import { createPassThroughProvider } from '#gateway/providers/pass-through-provider.ts'
import type { Provider } from '#gateway/providers/provider.ts'
import type { Transport } from '#gateway/providers/transport.ts'

/** The version that callers mean who name none: https://docs.claude.com/en/api/versioning (2026-11). */
export const ANTHROPIC_VERSION = '2023-06-01'

/** Any server that speaks Anthropic's Messages; its base URL ends before `/messages`. */
export function createMessagesProvider(parts: {
  readonly transport: Transport
  readonly offThread: OffThread
}): Provider {
  return createPassThroughProvider({
    ...parts,
    paths: { messages: '/messages', count_tokens: '/messages/count_tokens' },
    authorization: credential => ({ 'x-api-key': credential }),
    headers: { 'anthropic-version': ANTHROPIC_VERSION },
  })
}
