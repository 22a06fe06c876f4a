import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import { requestToken } from '#gateway/providers/tokens/request-token.ts'
import { createTokenKeeper, type TokenKeeper } from '#gateway/providers/tokens/token-keeper.ts'
import type { Transport } from '#gateway/providers/transport.ts'
import { serviceAccountOf, serviceAccountTokenRequest } from './service-account.ts'

/** Keeps the tokens of service accounts. */
export function createVertexTokens(transport: Transport): TokenKeeper {
  return createTokenKeeper({
    nowMs: () => performance.now(),
    request: async provider => {
      const account = serviceAccountOf(provider.credential)
      if (!account) throw new Error('Only a service account has tokens')
      const request = await serviceAccountTokenRequest(account, Math.floor(Date.now() / 1000))
      return requestToken(request, { transport, provider })
    },
  })
}

/** How Vertex is told who calls: by a token of a service account, or by a key of its API. */
export async function vertexAuthorization(
  provider: CatalogProvider,
  tokenFor: TokenKeeper,
): Promise<Record<string, string>> {
  if (serviceAccountOf(provider.credential)) {
    return { authorization: `Bearer ${await tokenFor(provider)}` }
  }
  return provider.credential === null ? {} : { 'x-goog-api-key': provider.credential }
}
