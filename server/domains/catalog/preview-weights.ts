import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { ModelWeights, TokenBuckets } from '#contract/usage.ts'
import type { previewWeights, weightsPreview } from '#contract/weights-preview.ts'
import { findUnitWeightProblem } from '#domains/billing/unit-weights.ts'
import { pinWeights, weigh } from '#domains/billing/weights.ts'
import { findWeightProblem } from '#domains/billing/weights-text.ts'
import type { RequestRecords } from '#domains/usage/request-records.ts'
import type { Usage } from '#domains/usage/usage.ts'
import { rfc3339 } from '#lib/clock.ts'
import { creditsFromMicros, type Micros, micros } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { RequestRow } from '#storage/tables.ts'
import type { ModelRecord } from './model-record.ts'
import type { Models } from './models.ts'
import { type AllWeights, readRecentRequests, weighRequests } from './weigh-recent.ts'

type Given = z.infer<typeof previewWeights>
export type WeightsPreview = z.infer<typeof weightsPreview>

/**
 * Tells what a change of weights would have meant over the last 30 days: over all requests as far as sums of usage tell
 * it, and over the newest ones exactly. 404 no such model, 409 it is not as the change was worked out from.
 */
export type PreviewWeights = (given: Given) => Promise<Outcome<WeightsPreview, ServiceError>>

export type PreviewWeightsParts = {
  readonly models: Pick<Models, 'findUnchanged'>
  readonly usage: Pick<Usage, 'report'>
  readonly requests: Pick<RequestRecords, 'readAll'>
}

export function createPreviewWeights({ models, usage, requests }: PreviewWeightsParts): PreviewWeights {
  return async given => {
    const { model: id, weights } = given
    const problem = findWeightProblem(weights) ?? findUnitWeightProblem(given.unit_weights ?? {})
    if (problem !== null) return refused(refusals.invalid(problem))
    const found = await models.findUnchanged(id, given.based_on)
    if (!found.ok) return found
    const model = found.value
    const report = await usage.report({ model: id, bucket: 'day', top: 1 })
    if (!report.ok) return report
    const { from, to, totals } = report.value
    const before = weightsNow(model)
    const after = {
      weights,
      units: given.unit_weights === undefined ? model.unit_weights : given.unit_weights,
    }
    const rows = await readRecentRequests(requests, { model: id, from })
    return accepted({
      object: 'weights_preview',
      model: id,
      from,
      to,
      requests: totals.requests,
      usage: totals.usage,
      charged: totals.credits,
      ...compare(before && weighSum(totals.usage, before.weights), weighSum(totals.usage, weights)),
      leaves_out: leftOut([after, ...(before ? [before] : [])]),
      recent: recentEffect(rows, before, after),
    })
  }
}

function weightsNow({ weights, unit_weights: units }: ModelRecord): AllWeights | null {
  return weights && { weights, units }
}

function compare(current: Micros | null, proposed: Micros) {
  return {
    current: current === null ? null : creditsFromMicros(current),
    proposed: creditsFromMicros(proposed),
    difference: current === null ? null : creditsFromMicros(micros(proposed - current)),
  }
}

function recentEffect(
  rows: readonly RequestRow[],
  before: AllWeights | null,
  after: AllWeights,
): WeightsPreview['recent'] {
  const oldest = rows.at(-1)
  if (!oldest) return null
  return {
    requests: rows.length,
    from: rfc3339(oldest.created_at),
    ...compare(before && weighRequests(rows, before), weighRequests(rows, after)),
  }
}

/** Sums don't tell how long each request was: all of them are weighed as the shorter ones are. */
function weighSum(usage: TokenBuckets, weights: ModelWeights): Micros {
  const pinned = pinWeights(weights)
  if (pinned === null) throw new Error('These weights were checked')
  return weigh(usage, { ...pinned, tiers: [] })
}

function leftOut(all: readonly AllWeights[]): WeightsPreview['leaves_out'] {
  const some = (has: (each: AllWeights) => boolean) => all.some(has)
  return [
    ...(some(({ weights }) => (weights.tiers ?? []).length > 0) ? (['tiers'] as const) : []),
    ...(some(({ weights }) => weights.cache_write_1h !== undefined) ? (['cache_write_1h'] as const) : []),
    ...(some(({ units }) => units !== null && Object.keys(units).length > 0) ? (['units'] as const) : []),
  ]
}
