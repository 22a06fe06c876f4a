import type { ListingOf } from '#domains/catalog/model-listing.ts'
import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import type { EmbeddingEngine } from '#gateway/translation/embeddings/embedding-engine.ts'
import { createEmbeddingsProvider } from '#gateway/translation/embeddings/embeddings-provider.ts'
import type { Engine } from '#gateway/translation/engine.ts'
import { createTranslatedProviders } from '#gateway/translation/translated-provider.ts'
import { createMessagesProvider } from './anthropic/messages-provider.ts'
import { anthropicEngine } from './anthropic/translated.ts'
import { createAzureProvider } from './azure/azure-provider.ts'
import { bedrockEmbeddings } from './bedrock/embeddings.ts'
import { bedrockEngine } from './bedrock/translated.ts'
import { createProviderByEndpoint, createProviderByServer } from './by-endpoint.ts'
import { cohereEmbeddings } from './cohere/embeddings.ts'
import { cohereEngine } from './cohere/translated.ts'
import { createDemoTransport } from './demo/demo-transport.ts'
import { geminiEmbeddings } from './gemini/embeddings.ts'
import { geminiEngine } from './gemini/translated.ts'
import { createHttpTransport } from './http1/http-transport.ts'
import { createModelListings } from './model-listings.ts'
import { DEMO_FLAVOUR, OPENAI_FLAVOURS, type OpenaiFlavour } from './openai/flavours.ts'
import { createOpenaiProvider } from './openai/openai-provider.ts'
import { createOpenaiEngine } from './openai/translated.ts'
import type { Provider, Providers } from './provider.ts'
import type { Transport } from './transport.ts'
import { createVertexEmbeddings } from './vertex/embeddings.ts'
import { createVertexEngine } from './vertex/translated.ts'
import { createVertexTokens } from './vertex/vertex-authorization.ts'

export type BuiltProviders = {
  readonly providers: Providers
  /** How each of them is asked for its models. */
  readonly listingOf: ListingOf
  close(): Promise<void>
}

/** Every kind of upstream that the catalogue may name. */
export function buildProviders({ offThread }: { readonly offThread: OffThread }): BuiltProviders {
  const transport = createHttpTransport()
  const demoTransport = createDemoTransport()
  const translated = (engine: Engine, over: Transport = transport) =>
    createTranslatedProviders({ transport: over, engine })
  const embedding = (engine: EmbeddingEngine) => createEmbeddingsProvider({ transport, engine })
  const vertexTokens = createVertexTokens(transport)
  const passed = (flavour: OpenaiFlavour, over: Transport = transport) => {
    const provider = createOpenaiProvider({ flavour, transport: over, offThread })
    return Object.fromEntries(Object.keys(flavour.paths).map(endpoint => [endpoint, provider]))
  }
  const messagesProvider = createMessagesProvider({ transport, offThread })
  const providers = new Map<string, Provider>([
    ...Object.entries(OPENAI_FLAVOURS).map(([kind, flavour]): [string, Provider] => [
      kind,
      createProviderByServer(passed(flavour), translated(createOpenaiEngine(flavour))),
    ]),
    ['azure', createAzureProvider({ flavour: OPENAI_FLAVOURS.azure, transport, offThread })],
    [
      'anthropic',
      createProviderByEndpoint({
        ...translated(anthropicEngine),
        messages: messagesProvider,
        count_tokens: messagesProvider,
      }),
    ],
    [
      'gemini',
      createProviderByEndpoint({ ...translated(geminiEngine), embeddings: embedding(geminiEmbeddings) }),
    ],
    [
      'vertex',
      createProviderByEndpoint({
        ...translated(createVertexEngine(vertexTokens)),
        embeddings: embedding(createVertexEmbeddings(vertexTokens)),
      }),
    ],
    [
      'bedrock',
      createProviderByEndpoint({ ...translated(bedrockEngine), embeddings: embedding(bedrockEmbeddings) }),
    ],
    [
      'cohere',
      createProviderByEndpoint({ ...translated(cohereEngine), embeddings: embedding(cohereEmbeddings) }),
    ],
    [
      'demo',
      createProviderByEndpoint({
        ...translated(createOpenaiEngine(DEMO_FLAVOUR), demoTransport),
        ...passed(DEMO_FLAVOUR, demoTransport),
      }),
    ],
  ])
  return {
    providers,
    listingOf: createModelListings(transport),
    async close() {
      await Promise.all([...providers.values()].map(provider => provider.close()))
    },
  }
}
