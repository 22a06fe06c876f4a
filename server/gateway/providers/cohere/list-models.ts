import type { EndpointName } from '#contract/usage.ts'
import type { ModelListing } from '#domains/catalog/model-listing.ts'
import { bearer } from '#gateway/providers/openai/list-models.ts'
import { countOf, endpointsByName, listIn, textOf, textsOf } from '#gateway/providers/told-models.ts'

const ENDPOINTS: Readonly<Record<string, EndpointName>> = { chat: 'chat', embed: 'embeddings' }

/** Its list is part of an older version of its API: https://docs.cohere.com/reference/list-models (2026-11). */
export const cohereListing: ModelListing = {
  questions: async provider => [
    {
      method: 'GET',
      url: `${provider.baseUrl.replace(/\/v2$/, '/v1')}/models?page_size=1000`,
      headers: bearer(provider),
    },
  ],
  read: answer =>
    listIn(answer, 'models')?.flatMap(told => {
      const upstreamModel = textOf(told.name)
      const endpoints = textsOf(told.endpoints)?.flatMap(name => ENDPOINTS[name] ?? [])
      if (upstreamModel === null || endpoints?.length === 0) return []
      return [
        {
          upstreamModel,
          contextWindow: countOf(told.context_length),
          endpoints: endpoints ?? endpointsByName(upstreamModel),
        },
      ]
    }) ?? null,
}
