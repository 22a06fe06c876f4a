import type { TokenBuckets } from '#contract/usage.ts'
import type { GenerationRequest } from '#gateway/generation-request.ts'
import type { OffThread } from '#gateway/off-thread/off-thread.ts'
import type { InputBuckets, ReportedUsage } from './usage.ts'

/** What a request is charged for, and where the counts came from. */
export type Metered = {
  readonly buckets: TokenBuckets
  readonly source: 'upstream' | 'estimate'
  readonly anomaly: string | null
}

/** The upstream's report where there is one, else an estimate from the request and the text that was generated. */
export async function meter(
  offThread: OffThread,
  request: GenerationRequest,
  answered: {
    readonly usage: ReportedUsage | null
    readonly inputUsage?: InputBuckets | null
    readonly outputText: string
  },
): Promise<Metered> {
  if (answered.usage) return { ...answered.usage, source: 'upstream' }
  const buckets = await offThread.estimateTokens({
    endpoint: request.endpoint,
    requestBytes: request.bytes,
    outputText: answered.outputText,
  })
  // What was reported of the input is better than any estimate of it: nobody else knows of caches.
  return { buckets: { ...buckets, ...answered.inputUsage }, source: 'estimate', anomaly: null }
}
