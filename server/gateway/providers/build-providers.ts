import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import { createTranslatedProviders } from '#gateway/translation/translated-provider.ts'
import { createMessagesProvider } from './anthropic/messages-provider.ts'
import { anthropicEngine } from './anthropic/translated.ts'
import { createProviderByEndpoint } from './by-endpoint.ts'
import { createDemoTransport } from './demo/demo-transport.ts'
import { createHttpTransport } from './http1/http-transport.ts'
import { createOpenaiProvider } from './openai/openai-provider.ts'
import type { Provider, Providers } from './provider.ts'

export type BuiltProviders = {
  readonly providers: Providers
  close(): Promise<void>
}

/** Every kind of upstream that the catalogue may name. */
export function buildProviders({ offThread }: { readonly offThread: OffThread }): BuiltProviders {
  const transport = createHttpTransport()
  const providers = new Map<string, Provider>([
    ['openai', createOpenaiProvider({ transport, offThread })],
    ['demo', createOpenaiProvider({ transport: createDemoTransport(), offThread })],
    [
      'anthropic',
      createProviderByEndpoint({
        ...createTranslatedProviders({ transport, engine: anthropicEngine }),
        messages: createMessagesProvider({ transport, offThread }),
      }),
    ],
  ])
  return {
    providers,
    async close() {
      await Promise.all([...providers.values()].map(provider => provider.close()))
    },
  }
}
