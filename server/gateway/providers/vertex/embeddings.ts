import { googleEmbeddingOptions } from '#gateway/providers/gemini/embeddings.ts'
import { googleStatusMeant } from '#gateway/providers/gemini/google-status.ts'
import type { TokenKeeper } from '#gateway/providers/tokens/token-keeper.ts'
import { type EmbeddingEngine, reportedTokens } from '#gateway/translation/embeddings/embedding-engine.ts'
import { vertexAuthorization } from './vertex-authorization.ts'

const KEY_HEADER = 'x-goog-api-key'

/** Embeddings of Google's Vertex AI. */
export function createVertexEmbeddings(tokenFor: TokenKeeper): EmbeddingEngine {
  return {
    embeddingModel: async ({ provider, upstreamModel, fetch }) => {
      const { createGoogleVertex } = await import('@ai-sdk/google-vertex/edge')
      const authorization = await vertexAuthorization(provider, tokenFor)
      const vertex = createGoogleVertex({
        baseURL: `${provider.baseUrl}/publishers/google`,
        // With a key the package looks for no credential, here or in the environment; our own header takes its place.
        apiKey: 'none',
        fetch: (url, init) => fetch(url, { ...init, headers: authorize(init?.headers, authorization) }),
      })
      return vertex.embeddingModel(upstreamModel)
    },
    toOptions: googleEmbeddingOptions,
    takesInputType: true,
    tokensOf: reportedTokens,
    statusMeant: googleStatusMeant,
  }
}

function authorize(given: RequestInit['headers'], authorization: Record<string, string>): Headers {
  const headers = new Headers(given)
  headers.delete(KEY_HEADER)
  for (const [name, value] of Object.entries(authorization)) headers.set(name, value)
  return headers
}
