import type { EndpointName } from '#contract/usage.ts'
import type { ModelListing } from '#domains/catalog/model-listing.ts'
import { countOf, listIn, textOf, textsOf } from '#gateway/providers/told-models.ts'

/** The ways of calling a model that this gateway has: https://ai.google.dev/api/models (2026-11). */
const ENDPOINTS: Readonly<Record<string, EndpointName>> = {
  generateContent: 'chat',
  embedContent: 'embeddings',
  batchEmbedContents: 'embeddings',
}

/** Models that can be called in other ways alone are left out. */
export const geminiListing: ModelListing = {
  questions: async ({ baseUrl, credential }) => {
    const headers: Record<string, string> = credential === null ? {} : { 'x-goog-api-key': credential }
    return [{ method: 'GET', url: `${baseUrl}/models?pageSize=1000`, headers }]
  },
  read: answer =>
    listIn(answer, 'models')?.flatMap(told => {
      const upstreamModel = textOf(told.name)?.replace(/^models\//, '')
      const methods = textsOf(told.supportedGenerationMethods) ?? ['generateContent']
      const endpoints = [...new Set(methods.flatMap(method => ENDPOINTS[method] ?? []))]
      if (upstreamModel === undefined || endpoints.length === 0) return []
      return [
        {
          upstreamModel,
          name: textOf(told.displayName),
          description: textOf(told.description),
          contextWindow: countOf(told.inputTokenLimit),
          maxOutputTokens: countOf(told.outputTokenLimit),
          endpoints,
        },
      ]
    }) ?? null,
}
