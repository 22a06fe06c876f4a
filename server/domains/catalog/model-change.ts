import type { z } from 'zod'
import type { createModel, patchModel } from '#contract/catalog.ts'
import { type EndpointName, UNIT_OF, type UnitName } from '#contract/usage.ts'
import {
  findUnitWeightProblem,
  unitWeightsFromJson,
  unitWeightsToJson,
} from '#domains/billing/unit-weights.ts'
import { findWeightProblem, weightsToJson } from '#domains/billing/weights-text.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { ModelRow } from '#storage/tables.ts'
import { changeRoutingJson } from './model-routing.ts'

export type NewModel = z.input<typeof createModel>
export type ModelPatch = z.input<typeof patchModel>

const OWNER = 'goldweight'
const TEXT_ONLY = JSON.stringify({ input: ['text'], output: ['text'] })

/** A model of which only the id is known: what is not said of it follows these defaults. */
export function emptyModelRow(id: string, now: number): ModelRow {
  return {
    id,
    name: id,
    description: null,
    owned_by: OWNER,
    context_window: null,
    max_output_tokens: null,
    modalities_json: TEXT_ONLY,
    capabilities_json: '[]',
    endpoints_json: JSON.stringify(['chat']),
    weights_json: null,
    unit_weights_json: null,
    routing_json: null,
    enabled: 0,
    deprecated: 0,
    created_at: now,
  }
}

/** A new model's row: it comes into service at once, unless it lacks weights or is not to. */
export function makeModelRow(empty: ModelRow, given: ModelPatch): Outcome<ModelRow, string> {
  const made = changeModelRow(empty, { ...given, enabled: false })
  if (!made.ok || given.enabled === false) return made
  const isWeighed = made.value.weights_json !== null && findUnweighedUnit(made.value) === null
  return given.enabled === true || isWeighed ? changeModelRow(made.value, { enabled: true }) : made
}

/** A model's row with a patch laid over it; refused with the problem, which names the field. */
export function changeModelRow(row: ModelRow, patch: ModelPatch): Outcome<ModelRow, string> {
  const changed = { ...row }
  if (patch.name !== undefined) changed.name = patch.name
  if (patch.description !== undefined) changed.description = patch.description
  if (patch.owned_by !== undefined) changed.owned_by = patch.owned_by
  if (patch.context_window !== undefined) changed.context_window = patch.context_window
  if (patch.max_output_tokens !== undefined) changed.max_output_tokens = patch.max_output_tokens
  if (patch.modalities !== undefined) changed.modalities_json = JSON.stringify(patch.modalities)
  if (patch.capabilities !== undefined) changed.capabilities_json = jsonSet(patch.capabilities)
  if (patch.endpoints !== undefined) changed.endpoints_json = jsonSet(patch.endpoints)
  if (patch.deprecated !== undefined) changed.deprecated = patch.deprecated ? 1 : 0
  if (patch.routing !== undefined) changed.routing_json = changeRoutingJson(row.routing_json, patch.routing)
  const weighed = changeUnitWeights(changed, patch)
  return weighed.ok ? changeWeights(weighed.value, patch) : weighed
}

function changeUnitWeights(row: ModelRow, { unit_weights: weights }: ModelPatch): Outcome<ModelRow, string> {
  if (weights === undefined) return accepted(row)
  const problem = weights === null ? null : findUnitWeightProblem(weights)
  if (problem !== null) return refused(problem)
  return accepted({ ...row, unit_weights_json: weights === null ? null : unitWeightsToJson(weights) })
}

/** The first unit that the model's endpoints are charged by and that has no weight; null when none is missing. */
function findUnweighedUnit(row: ModelRow): UnitName | null {
  const weights = unitWeightsFromJson(row.unit_weights_json)
  // Written by this domain alone, from a checked list.
  const endpoints = JSON.parse(row.endpoints_json) as EndpointName[]
  return endpoints.flatMap(name => UNIT_OF[name] ?? []).find(unit => weights?.[unit] === undefined) ?? null
}

/** Unpriced is never free: weights that go take the model out of service, and none comes into service without them. */
function changeWeights(
  row: ModelRow,
  { weights, unit_weights, enabled }: ModelPatch,
): Outcome<ModelRow, string> {
  const changed = { ...row }
  if (weights === null) {
    changed.weights_json = null
    changed.enabled = 0
  } else if (weights !== undefined) {
    const problem = findWeightProblem(weights)
    if (problem !== null) return refused(problem)
    changed.weights_json = weightsToJson(weights)
  }
  const unweighed = findUnweighedUnit(changed)
  if (unweighed !== null && unit_weights === null) changed.enabled = 0
  if (enabled !== undefined) changed.enabled = enabled ? 1 : 0
  if (changed.enabled === 1 && changed.weights_json === null) {
    return refused('enabled: a model without weights can not be enabled')
  }
  if (changed.enabled === 1 && unweighed !== null) {
    return refused(
      `unit_weights.${unweighed}: a model that is charged by it can not be enabled without its weight`,
    )
  }
  return accepted(changed)
}

function jsonSet(values: readonly string[]): string {
  return JSON.stringify([...new Set(values)])
}
