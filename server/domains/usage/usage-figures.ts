import type { UsageFigures } from '#contract/usage-report.ts'
import { creditsFromMicros, micros, ZERO_MICROS } from '#lib/money.ts'
import {
  COUNT_COLUMNS,
  FAILURE_KINDS,
  FIRST_TOKEN_COLUMNS,
  LATENCY_COLUMNS,
} from '#storage/roll-ups/usage-tables.ts'
import { summarise } from './percentile.ts'
import type { UsageSums } from './usage-sums.ts'

export const NO_USAGE: UsageSums = {
  // Every column is a key of the object that is made here.
  ...(Object.fromEntries(COUNT_COLUMNS.map(column => [column, 0])) as Omit<UsageSums, 'chargeMicros'>),
  chargeMicros: ZERO_MICROS,
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
  const counts = COUNT_COLUMNS.map(column => [column, one[column] + sign * other[column]])
  return {
    // Every column is a key of the object that is made here.
    ...(Object.fromEntries(counts) as Omit<UsageSums, 'chargeMicros'>),
    chargeMicros: micros(one.chargeMicros + BigInt(sign) * other.chargeMicros),
  }
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
      counts: LATENCY_COLUMNS.map(column => sums[column]),
      sumMs: sums.latency_ms_sum,
    }),
    time_to_first_token_ms: summarise({
      counts: FIRST_TOKEN_COLUMNS.map(column => sums[column]),
      sumMs: sums.first_token_ms_sum,
    }),
  }
}
