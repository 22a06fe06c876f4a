import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { ModelWeights, TokenBuckets } from '#contract/usage.ts'
import type { previewWeights, weightsPreview } from '#contract/weights-preview.ts'
import { pinWeights, weigh } from '#domains/billing/weights.ts'
import { findWeightProblem } from '#domains/billing/weights-text.ts'
import type { Usage } from '#domains/usage/usage.ts'
import { creditsFromMicros, type Micros, micros } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Models } from './models.ts'

export type WeightsPreview = z.infer<typeof weightsPreview>

/** Tells what a change of weights would have meant over the last 30 days; reads sums of usage, never single requests. */
export type PreviewWeights = (
  given: z.infer<typeof previewWeights>,
) => Promise<Outcome<WeightsPreview, ServiceError>>

export type PreviewWeightsParts = {
  readonly models: Pick<Models, 'find'>
  readonly usage: Pick<Usage, 'report'>
}

export function createPreviewWeights({ models, usage }: PreviewWeightsParts): PreviewWeights {
  return async ({ model: id, weights }) => {
    const problem = findWeightProblem(weights)
    if (problem !== null) return refused(refusals.invalid(problem))
    const model = await models.find(id)
    if (!model) return refused(refusals.notFound('No such model'))
    const report = await usage.report({ model: id, bucket: 'day', top: 1 })
    if (!report.ok) return report
    const { from, to, totals } = report.value
    const current = model.weights && weighSum(totals.usage, model.weights)
    const proposed = weighSum(totals.usage, weights)
    return accepted({
      object: 'weights_preview',
      model: id,
      from,
      to,
      requests: totals.requests,
      usage: totals.usage,
      charged: totals.credits,
      current: current && creditsFromMicros(current),
      proposed: creditsFromMicros(proposed),
      difference: current === null ? null : creditsFromMicros(micros(proposed - current)),
      leaves_out: leftOut([weights, ...(model.weights ? [model.weights] : [])]),
    })
  }
}

/** Sums don't tell how long each request was: all of them are weighed as the shorter ones are. */
function weighSum(usage: TokenBuckets, weights: ModelWeights): Micros {
  const pinned = pinWeights(weights)
  if (pinned === null) throw new Error('These weights were checked')
  return weigh(usage, { ...pinned, tiers: [] })
}

function leftOut(all: readonly ModelWeights[]): WeightsPreview['leaves_out'] {
  return [
    ...(all.some(({ tiers = [] }) => tiers.length > 0) ? (['tiers'] as const) : []),
    ...(all.some(({ cache_write_1h }) => cache_write_1h !== undefined) ? (['cache_write_1h'] as const) : []),
  ]
}
