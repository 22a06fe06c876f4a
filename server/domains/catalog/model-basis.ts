import type { z } from 'zod'
import type { modelBasis } from '#contract/catalog.ts'
import { refusals, type ServiceError } from '#contract/errors.ts'
import { findUnitWeightProblem, unitWeightsToJson } from '#domains/billing/unit-weights.ts'
import { findWeightProblem, weightsToJson } from '#domains/billing/weights-text.ts'
import type { ModelRouteRow, ModelRow } from '#storage/tables.ts'
import { toRouteRows } from './model-routes.ts'

/** What of a model a change was worked out from. */
export type ModelBasis = z.input<typeof modelBasis>

/** The refusal of a change that was worked out from what is not so any more; null when all of it still is. */
export function findOutdated(
  row: ModelRow,
  routes: readonly ModelRouteRow[],
  basis: ModelBasis = {},
): ServiceError | null {
  if (!areWeights(row, basis.weights)) return outdated('weights')
  if (!areUnitWeights(row, basis.unit_weights)) return outdated('unit_weights')
  return areRoutes(routes, basis.routes) ? null : outdated('routes')
}

function outdated(field: string): ServiceError {
  return refusals.conflict(`${field}: changed since they were read; read the model again`)
}

/** Compared as they are stored, where there is one way alone to write each. */
function areWeights({ weights_json }: ModelRow, given: ModelBasis['weights']): boolean {
  if (given === undefined) return true
  if (given === null) return weights_json === null
  return findWeightProblem(given) === null && weightsToJson(given) === weights_json
}

function areUnitWeights({ unit_weights_json }: ModelRow, given: ModelBasis['unit_weights']): boolean {
  if (given === undefined) return true
  if (given === null) return unit_weights_json === null
  return findUnitWeightProblem(given) === null && unitWeightsToJson(given) === unit_weights_json
}

/** By what routes say: their ids are given anew whenever they are replaced. */
function areRoutes(rows: readonly ModelRouteRow[], given: ModelBasis['routes']): boolean {
  if (given === undefined) return true
  return sayings(rows) === sayings(toRouteRows('', given, 0))
}

function sayings(rows: readonly ModelRouteRow[]): string {
  return JSON.stringify(
    rows.map(row => [row.provider_id, row.upstream_model, row.priority, row.weight, row.cost]),
  )
}
