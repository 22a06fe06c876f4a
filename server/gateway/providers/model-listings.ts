import type { KnownModels, ListingOf, ModelListing } from '#domains/catalog/model-listing.ts'
import { anthropicListing } from './anthropic/list-models.ts'
import { createEntraTokens } from './azure/entra-tokens.ts'
import { createAzureListing } from './azure/list-models.ts'
import { bedrockListing } from './bedrock/list-models.ts'
import { cohereListing } from './cohere/list-models.ts'
import { DEMO_MODELS } from './demo/demo-models.ts'
import { geminiListing } from './gemini/list-models.ts'
import { openaiListing } from './openai/list-models.ts'
import type { Transport } from './transport.ts'
import { createVertexListing } from './vertex/list-models.ts'
import { createVertexTokens } from './vertex/vertex-authorization.ts'

/** How providers of each kind are asked for their models; all that are not named here speak as OpenAI does. */
export function createModelListings(transport: Transport): ListingOf {
  const listings: Readonly<Record<string, ModelListing | KnownModels>> = {
    anthropic: anthropicListing,
    gemini: geminiListing,
    cohere: cohereListing,
    azure: createAzureListing(createEntraTokens(transport)),
    vertex: createVertexListing(createVertexTokens(transport)),
    bedrock: bedrockListing,
    demo: DEMO_MODELS,
  }
  return kind => listings[kind] ?? openaiListing
}
