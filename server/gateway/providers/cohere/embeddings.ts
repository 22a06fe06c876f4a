import { type EmbeddingEngine, reportedTokens } from '#gateway/translation/embeddings/embedding-engine.ts'

/** Embeddings of Cohere's API, version 2. */
export const cohereEmbeddings: EmbeddingEngine = {
  embeddingModel: async ({ provider, upstreamModel, fetch }) => {
    const { createCohere } = await import('@ai-sdk/cohere')
    // An empty key would be looked for in the environment.
    const apiKey = provider.credential ?? 'none'
    return createCohere({ baseURL: provider.baseUrl, apiKey, fetch }).embeddingModel(upstreamModel)
  },
  toOptions: ({ dimensions, inputType }) => ({
    cohere: {
      ...(dimensions === null ? {} : { outputDimension: dimensions }),
      // It needs to be told, and callers of this API store documents far more often than they ask.
      inputType: inputType ?? 'search_document',
    },
  }),
  takesInputType: true,
  tokensOf: reportedTokens,
}
