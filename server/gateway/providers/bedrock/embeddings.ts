import { type EmbeddingEngine, reportedTokens } from '#gateway/translation/embeddings/embedding-engine.ts'
import { bedrockConnection } from './aws-credential.ts'

/** Embeddings of AWS Bedrock: each maker's models take their settings by names of their own. */
export const bedrockEmbeddings: EmbeddingEngine = {
  embeddingModel: async ({ provider, upstreamModel, fetch }) => {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
    return createAmazonBedrock({ ...bedrockConnection(provider), fetch }).embeddingModel(upstreamModel)
  },
  toOptions: ({ dimensions, inputType }, model) => ({
    amazonBedrock: {
      ...(dimensions === null ? {} : { [dimensionsName(model)]: dimensions }),
      // Cohere's models need to be told, and callers of this API store documents far more often than they ask.
      inputType: inputType ?? 'search_document',
    },
  }),
  takesInputType: true,
  tokensOf: reportedTokens,
}

function dimensionsName(model: string): string {
  if (model.includes('cohere.embed-')) return 'outputDimension'
  return model.includes('amazon.nova-') ? 'embeddingDimension' : 'dimensions'
}
