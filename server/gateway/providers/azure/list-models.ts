import type { ModelListing } from '#domains/catalog/model-listing.ts'
import { readOpenaiModels } from '#gateway/providers/openai/list-models.ts'
import type { TokenKeeper } from '#gateway/providers/tokens/token-keeper.ts'
import { azureAuthorization } from './azure-address.ts'
import { applicationOf } from './entra-tokens.ts'

/** Azure has a list of models, but none of deployments that a key of the resource may read. */
export function createAzureListing(tokenFor: TokenKeeper): ModelListing {
  return {
    questions: async provider => {
      const { credential } = provider
      const key = applicationOf(credential) ? `Bearer ${await tokenFor(provider)}` : credential
      const base = new URL(provider.baseUrl)
      const url = `${base.origin}${base.pathname}/models${base.search}`
      return [{ method: 'GET', url, headers: key === null ? {} : azureAuthorization(key) }]
    },
    read: readOpenaiModels,
    note: 'Azure lists what can be deployed; a call names a deployment, so give each model the name of yours.',
  }
}
