import { MISSING_MODEL, type ModelListing } from '#domains/catalog/model-listing.ts'
import type { TokenKeeper } from '#gateway/providers/tokens/token-keeper.ts'
import { endpointsByName, listIn, textOf } from '#gateway/providers/told-models.ts'
import { vertexAuthorization } from './vertex-authorization.ts'

/**
 * Google's own models, which every project may call; the list is part of the newer version of the API:
 * https://cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/publishers.models/list (2026-11).
 */
export function createVertexListing(tokenFor: TokenKeeper): ModelListing {
  return {
    questions: async provider => [
      {
        method: 'GET',
        url: `${new URL(provider.baseUrl).origin}/v1beta1/publishers/google/models?pageSize=200`,
        headers: await vertexAuthorization(provider, tokenFor),
      },
    ],
    read: answer =>
      listIn(answer, 'publisherModels')?.flatMap(told => {
        const upstreamModel = textOf(told.name)?.replace(/^publishers\/google\/models\//, '')
        return upstreamModel === undefined
          ? []
          : [{ upstreamModel, endpoints: endpointsByName(upstreamModel) }]
      }) ?? null,
    missingModel: async provider => ({
      method: 'POST',
      url: `${provider.baseUrl}/publishers/google/models/${MISSING_MODEL}:generateContent`,
      headers: {
        'content-type': 'application/json',
        ...(await vertexAuthorization(provider, tokenFor)),
      },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
    }),
  }
}
