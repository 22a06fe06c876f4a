import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import { createProviderByServer } from '#gateway/providers/by-endpoint.ts'
import type { OpenaiFlavour } from '#gateway/providers/openai/flavours.ts'
import { createOpenaiEngine } from '#gateway/providers/openai/translated.ts'
import { createPassThroughProvider } from '#gateway/providers/pass-through-provider.ts'
import type { Provider } from '#gateway/providers/provider.ts'
import { withTokens } from '#gateway/providers/tokens/with-tokens.ts'
import type { Transport } from '#gateway/providers/transport.ts'
import { createTranslatedProviders } from '#gateway/translation/translated-provider.ts'
import { azureAuthorization, azureUrl } from './azure-address.ts'
import { applicationOf, createEntraTokens } from './entra-tokens.ts'

/** OpenAI's models on Azure: its own addresses and keys, or an application's tokens; the rest is OpenAI's. */
export function createAzureProvider({
  flavour,
  transport,
  offThread,
}: {
  readonly flavour: OpenaiFlavour
  readonly transport: Transport
  readonly offThread: OffThread
}): Provider {
  const { paths } = flavour
  const passed = createPassThroughProvider({
    transport,
    offThread,
    paths,
    authorization: azureAuthorization,
    locate: azureUrl,
  })
  const engine = createOpenaiEngine(flavour, { url: azureUrl, authorization: azureAuthorization })
  const provider = createProviderByServer(
    Object.fromEntries(Object.keys(paths).map(endpoint => [endpoint, passed])),
    createTranslatedProviders({ engine, transport }),
  )
  return withTokens(provider, {
    needsToken: credential => applicationOf(credential) !== null,
    tokenFor: createEntraTokens(transport),
  })
}
