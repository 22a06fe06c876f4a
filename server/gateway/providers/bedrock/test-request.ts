import type { ProviderQuestion } from '#domains/catalog/ask-provider.ts'
import { MISSING_MODEL } from '#domains/catalog/model-listing.ts'
import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import { bedrockConnection } from './aws-credential.ts'

/** The call of a model that there is not, signed as every call is: the package's own, caught before it is sent. */
export async function bedrockTestRequest(provider: CatalogProvider): Promise<ProviderQuestion> {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
  const { promise: caught, resolve, reject } = Promise.withResolvers<ProviderQuestion>()
  const bedrock = createAmazonBedrock({
    ...bedrockConnection(provider),
    fetch: async (url, init) => {
      const { 'user-agent': _, ...headers } = Object.fromEntries(new Headers(init?.headers))
      resolve({ method: 'POST', url: String(url), headers, body: String(init?.body) })
      return new Response(null, { status: 204 })
    },
  })
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }]
  // What it makes of the empty answer is of no interest once the request is caught.
  bedrock
    .languageModel(MISSING_MODEL)
    .doGenerate({ prompt, maxOutputTokens: 1 })
    .then(() => {}, reject)
  return caught
}
