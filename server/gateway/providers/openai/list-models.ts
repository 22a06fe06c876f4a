import type { ModelListing, ToldModel } from '#domains/catalog/model-listing.ts'
import type { CatalogProvider } from '#domains/catalog/snapshot.ts'
import {
  countOf,
  endpointsByName,
  isObject,
  listIn,
  modalitiesOf,
  type Told,
  textOf,
} from '#gateway/providers/told-models.ts'

export function bearer({ credential }: CatalogProvider): Record<string, string> {
  return credential === null ? {} : { authorization: `Bearer ${credential}` }
}

/**
 * The list of any OpenAI-compatible server. Some tell more than OpenAI does: Mistral (`max_context_length`), Groq
 * (`context_window`), vLLM (`max_model_len`), OpenRouter (`context_length`, `architecture`, `top_provider`).
 */
export const openaiListing: ModelListing = {
  questions: async provider => [
    { method: 'GET', url: `${provider.baseUrl}/models`, headers: bearer(provider) },
  ],
  read: readOpenaiModels,
}

/** Some compatible servers send the bare list. */
export function readOpenaiModels(answer: unknown): readonly ToldModel[] | null {
  return listIn(answer, 'data', 'models')?.flatMap(readOne) ?? null
}

function readOne(told: Told): ToldModel[] {
  const upstreamModel = textOf(told.id, told.name)
  if (upstreamModel === null) return []
  const architecture = isObject(told.architecture) ? told.architecture : {}
  const top = isObject(told.top_provider) ? told.top_provider : {}
  const name = textOf(told.display_name, told.name)
  return [
    {
      upstreamModel,
      name: name === upstreamModel ? null : name,
      description: textOf(told.description),
      contextWindow: countOf(
        told.context_length,
        told.context_window,
        told.max_context_length,
        told.max_model_len,
      ),
      maxOutputTokens: countOf(told.max_completion_tokens, top.max_completion_tokens),
      endpoints: endpointsByName(upstreamModel),
      modalities: modalitiesOf(architecture.input_modalities, architecture.output_modalities),
    },
  ]
}
