/**
 * The roll-ups of usage: sums over the requests of an hour or a day, kept when the single records are gone. All of them
 * are written with the records themselves, in one transaction.
 */
import type { EndpointName } from '#contract/usage.ts'
import type { Micros } from '#lib/money.ts'
import { DURATION_BUCKETS, type DurationBucket } from './duration-buckets.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Why requests failed, told apart as far as rates of errors need it. */
export const FAILURE_KINDS = ['invalid', 'throttled', 'upstream', 'timeout', 'service'] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

type LatencyColumn = `latency_${DurationBucket}`
type FirstTokenColumn = `first_token_${DurationBucket}`

/** The counts that are no part of a histogram. */
export const PLAIN_COUNTS = [
  'requests',
  'succeeded',
  'cancelled',
  'failed_invalid',
  'failed_throttled',
  'failed_upstream',
  'failed_timeout',
  'failed_service',
  /** Charged by an estimate, since the upstream reported nothing. */
  'estimated',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'output_tokens',
  /** Latencies of succeeded requests alone: a refusal after three milliseconds would flatter the picture. */
  'latency_ms_sum',
  /** Of all requests that came to a first token. */
  'first_token_ms_sum',
] as const

export type PlainCount = (typeof PLAIN_COUNTS)[number]

export type CountColumn = PlainCount | LatencyColumn | FirstTokenColumn

export const LATENCY_COLUMNS = DURATION_BUCKETS.map(bucket => `latency_${bucket}` as const)
export const FIRST_TOKEN_COLUMNS = DURATION_BUCKETS.map(bucket => `first_token_${bucket}` as const)

/** Every summed column but the amount, in the order in which the values of a row stand. */
export const COUNT_COLUMNS: readonly CountColumn[] = [
  ...PLAIN_COUNTS,
  ...LATENCY_COLUMNS,
  ...FIRST_TOKEN_COLUMNS,
]

/** All that is summed. */
export type UsageFiguresRow = { [Column in CountColumn]: number } & { charge_micros: Micros }

/** What tells roll-ups of one span apart. */
export type UsageDimensions = {
  account_id: string
  key_id: string
  /** Empty where the request named no model that was to be had: names that callers make up would have no end. */
  model: string
  endpoint: EndpointName
  /** Empty where no upstream was tried. */
  provider: string
}

/** `usage_hours` and `usage_days`. */
export type UsageRow = UsageFiguresRow & UsageDimensions & { started_at: number }

/** `service_hours` and `service_days`: the same over all accounts and keys. */
export type ServiceUsageRow = UsageFiguresRow &
  Pick<UsageDimensions, 'model' | 'endpoint' | 'provider'> & {
    started_at: number
    /** Writers that work at the same time sum up in rows of their own, so that none waits for another's. */
    shard: number
  }

/** `account_days`: the same over all that an account did in a day. */
export type AccountUsageRow = UsageFiguresRow & Pick<UsageDimensions, 'account_id'> & { started_at: number }

/** One row: from which moment on every single record is still there. */
export type RetentionMarkRow = {
  id: 'requests'
  /** Records made before it may have been deleted. */
  deleted_before: number
}

/** A day whose sums can be read from `usage_days` and `service_days`. A late record takes it off again. */
export type FoldedDayRow = {
  started_at: number
  /** `folded`; until all of its sums are written, the mark of whoever is at it. */
  state: string
}

export const USAGE_KEYS = ['started_at', 'account_id', 'key_id', 'model', 'endpoint', 'provider'] as const
export const SERVICE_KEYS = ['started_at', 'model', 'endpoint', 'provider', 'shard'] as const
