import type { z } from 'zod'
import type { modelRouting } from '#contract/catalog.ts'
import type { CatalogRouting } from './snapshot.ts'

export type ModelRouting = z.infer<typeof modelRouting>

/**
 * Callers' own libraries ask again when they are told that all has failed, so that a second time here would multiply
 * with theirs: it is off unless it is asked for.
 */
const DEFAULT_ROUTING: ModelRouting = { order: 'shares', retries: 0, max_attempts: 5, max_ms: null }

/** How a model's routes are tried; what its row leaves open follows the defaults. */
export function routingFromJson(json: string | null): ModelRouting {
  // Written by the function below alone, from checked values.
  return json === null
    ? DEFAULT_ROUTING
    : { ...DEFAULT_ROUTING, ...(JSON.parse(json) as Partial<ModelRouting>) }
}

/** The row's text with what was newly said laid over it. */
export function changeRoutingJson(json: string | null, said: Partial<ModelRouting>): string {
  const before = json === null ? {} : (JSON.parse(json) as Partial<ModelRouting>) // as above
  return JSON.stringify({ ...before, ...said })
}

export function toCatalogRouting(json: string | null): CatalogRouting {
  const { order, retries, max_attempts: maxAttempts, max_ms: maxMs } = routingFromJson(json)
  return { order, retries, maxAttempts, maxMs }
}
