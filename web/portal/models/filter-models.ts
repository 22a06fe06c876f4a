import { z } from 'zod'
import type { CatalogEntry } from '#web/api/discovery.ts'

const text = z.string().optional().catch(undefined)

/** What is looked for; it stands in the address, so that a search can be kept and shared. */
export const modelFilter = z.object({ q: text, capability: text, endpoint: text })

export type ModelFilter = z.output<typeof modelFilter>

/** The models that have every word of the search in their names or descriptions, and all else that is asked for. */
export function filterModels(models: readonly CatalogEntry[], filter: ModelFilter): CatalogEntry[] {
  const words = (filter.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return models.filter(model => {
    const said = [model.id, model.name, model.owned_by, model.description ?? ''].join(' ').toLowerCase()
    return (
      words.every(word => said.includes(word)) &&
      (filter.capability === undefined || model.capabilities.includes(filter.capability)) &&
      (filter.endpoint === undefined || model.endpoints.some(endpoint => endpoint === filter.endpoint))
    )
  })
}
