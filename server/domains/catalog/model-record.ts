import type { z } from 'zod'
import type { adminModel } from '#contract/catalog.ts'
import type { ModelWeights } from '#contract/usage.ts'
import { unitWeightsFromJson } from '#domains/billing/unit-weights.ts'
import { weightsFromJson } from '#domains/billing/weights-text.ts'
import { rfc3339 } from '#lib/clock.ts'
import type { ModelRouteRow, ModelRow } from '#storage/tables.ts'
import { routingFromJson } from './model-routing.ts'
import type { PublishedModel } from './published.ts'

export type ModelRecord = z.infer<typeof adminModel>

type Described = Pick<
  ModelRecord,
  | 'id'
  | 'name'
  | 'description'
  | 'owned_by'
  | 'context_window'
  | 'max_output_tokens'
  | 'modalities'
  | 'capabilities'
  | 'endpoints'
>

/** What a model says of itself, to whomever. */
function describe(row: ModelRow): Described {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    owned_by: row.owned_by,
    context_window: row.context_window,
    max_output_tokens: row.max_output_tokens,
    // The three columns are written by this domain alone, from checked values.
    modalities: JSON.parse(row.modalities_json) as Described['modalities'],
    capabilities: JSON.parse(row.capabilities_json) as Described['capabilities'],
    endpoints: JSON.parse(row.endpoints_json) as Described['endpoints'],
  }
}

/** A model as administrators and the audit log see it; its routes as they are handed in. */
export function toModelRecord(row: ModelRow, routes: readonly ModelRouteRow[]): ModelRecord {
  return {
    object: 'model',
    ...describe(row),
    weights: row.weights_json === null ? null : weightsFromJson(row.weights_json),
    unit_weights: unitWeightsFromJson(row.unit_weights_json),
    routes: routes.map(({ id, provider_id, upstream_model, priority, weight, cost }) => ({
      id,
      provider_id,
      upstream_model,
      priority,
      weight,
      cost: cost === null ? null : Number(cost),
    })),
    routing: routingFromJson(row.routing_json),
    enabled: row.enabled === 1,
    deprecated: row.deprecated === 1,
    created_at: rfc3339(row.created_at),
  }
}

/** A model's entry in the public catalogue, but for its status. */
export function toPublishedEntry(row: ModelRow, weights: ModelWeights): PublishedModel['entry'] {
  return {
    object: 'catalog_entry',
    ...describe(row),
    created: Math.floor(row.created_at / 1000),
    weights,
    unit_weights: unitWeightsFromJson(row.unit_weights_json),
  }
}
