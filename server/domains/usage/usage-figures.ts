import type { UsageFigures } from '#contract/usage-report.ts'
import { creditsFromMicros, micros, ZERO_MICROS } from '#lib/money.ts'
import { DURATION_BUCKETS } from '#storage/roll-ups/duration-buckets.ts'
import { FAILURE_KINDS, PLAIN_COUNTS, type PlainCount } from '#storage/roll-ups/usage-tables.ts'
import { summarise } from './percentile.ts'
import type { Histograms, UsageSums } from './usage-sums.ts'

/** `Object.fromEntries` forgets which keys it was given: here it is given all of them. */
type PlainCounts = Record<PlainCount, number>

const NO_DURATIONS = DURATION_BUCKETS.map(() => 0)

export const NO_USAGE: UsageSums = {
  ...(Object.fromEntries(PLAIN_COUNTS.map(column => [column, 0])) as PlainCounts),
  chargeMicros: ZERO_MICROS,
  firstTokenCount: 0,
  histograms: { latencies: NO_DURATIONS, firstTokens: NO_DURATIONS },
}

/** What two parts come to; histograms are sums as well. */
export function addSums(one: UsageSums, other: UsageSums): UsageSums {
  return combine(one, other, 1)
}

/** What is left of a whole when a part is taken away. */
export function subtractSums(whole: UsageSums, part: UsageSums): UsageSums {
  return combine(whole, part, -1)
}

function combine(one: UsageSums, other: UsageSums, sign: 1 | -1): UsageSums {
  const counts = PLAIN_COUNTS.map(column => [column, one[column] + sign * other[column]])
  return {
    ...(Object.fromEntries(counts) as PlainCounts),
    chargeMicros: micros(one.chargeMicros + BigInt(sign) * other.chargeMicros),
    firstTokenCount: one.firstTokenCount + sign * other.firstTokenCount,
    histograms:
      one.histograms && other.histograms && combineHistograms(one.histograms, other.histograms, sign),
  }
}

function combineHistograms(one: Histograms, other: Histograms, sign: 1 | -1): Histograms {
  const combined = (name: keyof Histograms) =>
    one[name].map((count, bucket) => count + sign * (other[name][bucket] ?? 0))
  return { latencies: combined('latencies'), firstTokens: combined('firstTokens') }
}

/** Sums as replies show them. */
export function toFigures(sums: UsageSums): UsageFigures {
  const failed = FAILURE_KINDS.reduce((total, kind) => total + sums[`failed_${kind}`], 0)
  return {
    requests: sums.requests,
    succeeded: sums.succeeded,
    failed,
    cancelled: sums.cancelled,
    failures: {
      invalid: sums.failed_invalid,
      throttled: sums.failed_throttled,
      upstream: sums.failed_upstream,
      timeout: sums.failed_timeout,
      service: sums.failed_service,
    },
    estimated: sums.estimated,
    usage: {
      input: sums.input_tokens,
      cache_read: sums.cache_read_tokens,
      cache_write: sums.cache_write_tokens,
      output: sums.output_tokens,
    },
    credits: creditsFromMicros(sums.chargeMicros),
    latency_ms: summarise({
      count: sums.succeeded,
      sumMs: sums.latency_ms_sum,
      histogram: sums.histograms?.latencies ?? null,
    }),
    time_to_first_token_ms: summarise({
      count: sums.firstTokenCount,
      sumMs: sums.first_token_ms_sum,
      histogram: sums.histograms?.firstTokens ?? null,
    }),
  }
}
