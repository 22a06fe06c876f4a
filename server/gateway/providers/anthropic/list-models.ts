import type { ModelListing } from '#domains/catalog/model-listing.ts'
import { countOf, listIn, textOf } from '#gateway/providers/told-models.ts'
import { ANTHROPIC_VERSION } from './messages-provider.ts'

/** https://docs.claude.com/en/api/models-list (2026-11): up to a thousand at a time. */
export const anthropicListing: ModelListing = {
  questions: async ({ baseUrl, credential }) => [
    {
      method: 'GET',
      url: `${baseUrl}/models?limit=1000`,
      headers: {
        'anthropic-version': ANTHROPIC_VERSION,
        ...(credential === null ? {} : { 'x-api-key': credential }),
      },
    },
  ],
  read: answer =>
    listIn(answer, 'data')?.flatMap(told => {
      const upstreamModel = textOf(told.id)
      if (upstreamModel === null) return []
      return [
        {
          upstreamModel,
          name: textOf(told.display_name),
          contextWindow: countOf(told.max_input_tokens),
          maxOutputTokens: countOf(told.max_tokens),
          endpoints: ['chat'],
        },
      ]
    }) ?? null,
}
