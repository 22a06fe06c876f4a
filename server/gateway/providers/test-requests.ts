import type { TestRequest, TestRequestOf } from '#domains/catalog/test-provider.ts'
import { ANTHROPIC_VERSION } from './anthropic/messages-provider.ts'
import { azureAuthorization } from './azure/azure-address.ts'
import { applicationOf, createEntraTokens } from './azure/entra-tokens.ts'
import { bedrockTestRequest } from './bedrock/test-request.ts'
import type { Transport } from './transport.ts'
import { createVertexTokens, vertexAuthorization } from './vertex/vertex-authorization.ts'

/** A name that no model bears. */
const NO_MODEL = 'no-such-model-connection-test'

type Headers = TestRequest['headers']

function listing(url: string, headers: Headers): TestRequest {
  return { method: 'GET', url, headers, expects: 'models' }
}

/** How providers of each kind are asked whether they are there and take the credential. */
export function createTestRequests(transport: Transport): TestRequestOf {
  const vertexTokens = createVertexTokens(transport)
  const entraTokens = createEntraTokens(transport)
  const ways: Readonly<Record<string, TestRequestOf>> = {
    anthropic: async ({ baseUrl, credential }) =>
      listing(`${baseUrl}/models`, {
        'anthropic-version': ANTHROPIC_VERSION,
        ...(credential === null ? {} : { 'x-api-key': credential }),
      }),
    gemini: async ({ baseUrl, credential }) =>
      listing(`${baseUrl}/models`, credential === null ? {} : { 'x-goog-api-key': credential }),
    // Its list of models is part of an older version of its API.
    cohere: async ({ baseUrl, credential }) =>
      listing(`${baseUrl.replace(/\/v2$/, '/v1')}/models`, bearer(credential)),
    azure: async provider => {
      const { credential } = provider
      const key = applicationOf(credential) ? `Bearer ${await entraTokens(provider)}` : credential
      const base = new URL(provider.baseUrl)
      const url = `${base.origin}${base.pathname}/models${base.search}`
      return listing(url, key === null ? {} : azureAuthorization(key))
    },
    vertex: async provider => ({
      method: 'POST',
      url: `${provider.baseUrl}/publishers/google/models/${NO_MODEL}:generateContent`,
      headers: {
        'content-type': 'application/json',
        ...(await vertexAuthorization(provider, vertexTokens)),
      },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
      expects: 'no such model',
    }),
    bedrock: provider => bedrockTestRequest(provider, NO_MODEL),
  }
  return async provider => {
    const way = ways[provider.kind]
    return way ? way(provider) : listing(`${provider.baseUrl}/models`, bearer(provider.credential))
  }
}

function bearer(credential: string | null): Headers {
  return credential === null ? {} : { authorization: `Bearer ${credential}` }
}
