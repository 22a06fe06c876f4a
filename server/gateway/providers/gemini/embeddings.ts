import type { EmbeddingModelV4Result } from '@ai-sdk/provider'
import { readGenerateContentUsage } from '#gateway/metering/generate-content-usage.ts'
import type { EmbeddingEngine, EmbeddingSettings } from '#gateway/translation/embeddings/embedding-engine.ts'
import { googleStatusMeant } from './google-status.ts'

const TASK_TYPES = {
  search_document: 'RETRIEVAL_DOCUMENT',
  search_query: 'RETRIEVAL_QUERY',
  classification: 'CLASSIFICATION',
  clustering: 'CLUSTERING',
} as const

export function googleEmbeddingOptions({ inputType }: EmbeddingSettings) {
  return { google: inputType === null ? {} : { taskType: TASK_TYPES[inputType] } }
}

/** Embeddings of Google's Gemini API. */
export const geminiEmbeddings: EmbeddingEngine = {
  embeddingModel: async ({ provider, upstreamModel, fetch }) => {
    const { createGoogle } = await import('@ai-sdk/google')
    // An empty key would be looked for in the environment.
    const apiKey = provider.credential ?? 'none'
    return createGoogle({ baseURL: provider.baseUrl, apiKey, fetch }).embeddingModel(upstreamModel)
  },
  toOptions: googleEmbeddingOptions,
  takesInputType: true,
  tokensOf: googleTokens,
  statusMeant: googleStatusMeant,
}

/** The package hands no count on, since most models report none. */
function googleTokens({ response }: EmbeddingModelV4Result): number | null {
  const body = response?.body
  if (typeof body !== 'object' || body === null || !('usageMetadata' in body)) return null
  return readGenerateContentUsage(body.usageMetadata)?.buckets.input ?? null
}
