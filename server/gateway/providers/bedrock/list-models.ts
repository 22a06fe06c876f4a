import { AwsV4Signer } from 'aws4fetch'
import type { ProviderQuestion } from '#domains/catalog/ask-provider.ts'
import type { ModelListing, ToldModel } from '#domains/catalog/model-listing.ts'
import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import {
  endpointsByName,
  listIn,
  modalitiesOf,
  type Told,
  textOf,
  textsOf,
} from '#gateway/providers/told-models.ts'
import { bedrockConnection } from './aws-credential.ts'
import { bedrockTestRequest } from './test-request.ts'

/**
 * Models that can be called by their own names, and the profiles by which the others are called in several regions. Both
 * lists are at the control plane, not at the runtime:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_ListFoundationModels.html (2026-11)
 */
export const bedrockListing: ModelListing = {
  questions: async provider => {
    const base = provider.baseUrl.replace('//bedrock-runtime', '//bedrock')
    return Promise.all([
      ask(provider, `${base}/foundation-models`),
      ask(provider, `${base}/inference-profiles?maxResults=1000`),
    ])
  },
  read: answer =>
    listIn(answer, 'modelSummaries')?.flatMap(readModel) ??
    listIn(answer, 'inferenceProfileSummaries')?.flatMap(readProfile) ??
    null,
  missingModel: bedrockTestRequest,
}

async function ask(provider: CatalogProvider, url: string): Promise<ProviderQuestion> {
  const { apiKey, region, accessKeyId, secretAccessKey, sessionToken } = bedrockConnection(provider)
  if (apiKey !== '') return { method: 'GET', url, headers: { authorization: `Bearer ${apiKey}` } }
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
  const signed = await new AwsV4Signer({ url, method: 'GET', region, service: 'bedrock', ...keys }).sign()
  const { host: _, ...headers } = Object.fromEntries(signed.headers)
  return { method: 'GET', url, headers }
}

function readModel(told: Told): ToldModel[] {
  const upstreamModel = textOf(told.modelId)
  if (upstreamModel === null || !textsOf(told.inferenceTypesSupported)?.includes('ON_DEMAND')) return []
  const makes = textsOf(told.outputModalities) ?? []
  return [
    {
      upstreamModel,
      name: textOf(told.modelName),
      modalities: modalitiesOf(told.inputModalities, told.outputModalities),
      endpoints: makes.includes('TEXT') ? ['chat'] : endpointsByName(upstreamModel),
    },
  ]
}

function readProfile(told: Told): ToldModel[] {
  const upstreamModel = textOf(told.inferenceProfileId)
  if (upstreamModel === null) return []
  return [
    {
      upstreamModel,
      name: textOf(told.inferenceProfileName),
      description: textOf(told.description),
      endpoints: endpointsByName(upstreamModel),
    },
  ]
}
