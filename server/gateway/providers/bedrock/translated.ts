import { readConverseUsage } from '#gateway/metering/converse-usage.ts'
import type { Engine } from '#gateway/translation/engine.ts'
import { adaptToConverse } from './adapt-to-converse.ts'
import { bedrockConnection } from './aws-credential.ts'

/** AWS Bedrock's Converse. Its base URL is that of the runtime in a region. */
export const bedrockEngine: Engine = {
  adapt: adaptToConverse,
  languageModel: async ({ provider, upstreamModel, fetch }) => {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
    return createAmazonBedrock({ ...bedrockConnection(provider), fetch }).languageModel(upstreamModel)
  },
  readUsage: readConverseUsage,
  // The model itself failed: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (2026-11)
  statusMeant: status => (status === 424 ? 502 : status),
  // The event after the one that says why the model stopped; events are binary there.
  finalMark: '"totalTokens"',
  signsBody: true,
}
