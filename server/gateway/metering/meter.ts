import { type EndpointName, type TokenBuckets, UNIT_OF, type UsageSource } from '#contract/usage.ts'
import type { CatalogModel } from '#domains/catalog/snapshot.ts'
import type { GenerationRequest } from '#gateway/generation-request.ts'
import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import type { InputBuckets, ReportedUsage } from './usage.ts'

/** What a request is charged for, and where the counts came from. */
export type Metered = {
  readonly buckets: TokenBuckets
  /** null for endpoints that are charged by tokens alone. */
  readonly unitCount: number | null
  readonly source: UsageSource
  readonly anomaly: string | null
}

/** What an answer tells of its usage. */
export type AnsweredUsage = {
  readonly usage: ReportedUsage | null
  readonly inputUsage?: InputBuckets | null
  readonly unitCount?: number | null
  readonly outputText: string
}

export type MeteredRequest = {
  readonly endpoint: EndpointName
  readonly generation: GenerationRequest
  readonly model: CatalogModel
}

type Units = { readonly count: number; readonly source: UsageSource }

const NO_TOKENS: TokenBuckets = { input: 0, cache_read: 0, cache_write: 0, output: 0 }

/** The upstream's report where there is one, else an estimate from the request and the text that was generated. */
export function meter(
  offThread: OffThread,
  { endpoint, generation, model }: MeteredRequest,
  answered: AnsweredUsage,
): Metered | Promise<Metered> {
  const unit = UNIT_OF[endpoint]
  const units = unit === undefined ? null : countUnits(generation, answered)
  // What costs nothing may be a guess without the charge being one.
  const isCharged = unit !== undefined && model.unitWeights.get(unit) !== 0n
  const unitCount = units?.count ?? null
  if (answered.usage) {
    const source = isCharged && units?.source === 'estimate' ? 'estimate' : 'upstream'
    const { buckets, anomaly } = answered.usage
    return { buckets, unitCount, source, anomaly }
  }
  if (units && isCharged) return { buckets: NO_TOKENS, unitCount, source: units.source, anomaly: null }
  const { outputText, inputUsage } = answered
  // Form data hold nothing that could be counted.
  const requestBytes = generation.contentType === null ? generation.bytes : null
  return offThread.estimateTokens({ endpoint, requestBytes, outputText }).then(buckets => ({
    // What was reported of the input is better than any estimate of it: nobody else knows of caches.
    buckets: { ...buckets, ...inputUsage },
    unitCount,
    source: 'estimate',
    anomaly: null,
  }))
}

/** By the answer where it tells, else by the request. An answer that tells nothing of a request that does not was one unit. */
function countUnits({ units }: GenerationRequest, { unitCount }: AnsweredUsage): Units {
  if (unitCount != null) return { count: unitCount, source: 'upstream' }
  return units
    ? { count: units.count, source: units.isExact ? 'request' : 'estimate' }
    : { count: 1, source: 'estimate' }
}
