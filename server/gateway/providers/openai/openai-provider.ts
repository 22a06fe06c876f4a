import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import { createPassThroughProvider } from '#gateway/providers/pass-through-provider.ts'
import type { Provider } from '#gateway/providers/provider.ts'
import type { Transport } from '#gateway/providers/transport.ts'
import type { OpenaiFlavour } from './flavours.ts'

/** An OpenAI-compatible server, for callers of what it serves itself. */
export function createOpenaiProvider({
  flavour: { paths, reportsUnasked = false },
  ...parts
}: {
  readonly flavour: OpenaiFlavour
  readonly transport: Transport
  readonly offThread: OffThread
}): Provider {
  return createPassThroughProvider({
    ...parts,
    paths,
    asksForUsage: !reportsUnasked,
    authorization: credential => ({ authorization: `Bearer ${credential}` }),
  })
}
