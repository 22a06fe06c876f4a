import type { z } from 'zod'
import type { DiscoveredModel, importModels } from '#contract/provider-models.ts'

const LONGEST_NAME = 200
const LONGEST_DESCRIPTION = 4000

/** What a discovered model would be called in the catalogue: its own name behind the prefix, without signs no id has. */
export function idFor(model: DiscoveredModel, prefix: string): string {
  const id = (prefix + model.upstream_model).replace(/[^A-Za-z0-9._:@/+-]+/g, '-')
  return id.replace(/^[^A-Za-z0-9]+/, '')
}

/** A discovered model as it is taken in: what the provider tells of it goes along, as far as it fits. */
export function toImported(
  model: DiscoveredModel,
  id: string,
): z.input<typeof importModels>['models'][number] {
  const { upstream_model, name, description, context_window, max_output_tokens, modalities, endpoints } =
    model
  // Names are on one line, whatever a provider sends.
  const shownName = name
    ?.replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
  return {
    id,
    upstream_model,
    ...(shownName ? { name: shownName } : {}),
    ...(description === null ? {} : { description: description.slice(0, LONGEST_DESCRIPTION) }),
    context_window,
    max_output_tokens,
    ...(modalities === null ? {} : { modalities }),
    endpoints,
  }
}

/** The models that have every word of the search in what is told of them. */
export function findModels(models: readonly DiscoveredModel[], search: string): DiscoveredModel[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return models.filter(({ upstream_model, name }) => {
    const said = `${upstream_model} ${name ?? ''}`.toLowerCase()
    return words.every(word => said.includes(word))
  })
}
