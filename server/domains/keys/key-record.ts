import type { ApiKeyRecord, KeyLimits } from '#contract/keys.ts'
import { rfc3339, rfc3339OrNull } from '#lib/clock.ts'
import type { ApiKeyRow } from '#storage/tables.ts'
import { modelsOf, spendingCapOf } from './key-rules.ts'

type LimitColumns = Pick<ApiKeyRow, 'limit_requests' | 'limit_window_seconds' | 'limit_concurrency'>

/** The limits that count for a key: its own, and the settings' where it has none. */
export function effectiveLimits(row: LimitColumns, defaults: KeyLimits): KeyLimits {
  return {
    requests: row.limit_requests ?? defaults.requests,
    window_seconds: row.limit_window_seconds ?? defaults.window_seconds,
    concurrency: row.limit_concurrency ?? defaults.concurrency,
  }
}

/** The columns for limits that were given; those left out are not touched. */
export function limitColumns(limits: Partial<KeyLimits>): Partial<LimitColumns> {
  const { requests, window_seconds, concurrency } = limits
  return {
    ...(requests === undefined ? {} : { limit_requests: requests }),
    ...(window_seconds === undefined ? {} : { limit_window_seconds: window_seconds }),
    ...(concurrency === undefined ? {} : { limit_concurrency: concurrency }),
  }
}

/** A key as every route shows it. The token is not part of it: only the answer that makes a key has that. */
export function toKeyRecord(row: Omit<ApiKeyRow, 'token_hash'>, defaults: KeyLimits): ApiKeyRecord {
  return {
    id: row.id,
    object: 'api_key',
    name: row.name,
    hint: row.hint,
    user_id: row.user_id,
    limits: effectiveLimits(row, defaults),
    models: modelsOf(row),
    spending_cap: spendingCapOf(row),
    created_at: rfc3339(row.created_at),
    last_used_at: rfc3339OrNull(row.last_used_at),
    expires_at: rfc3339OrNull(row.expires_at),
    revoked_at: rfc3339OrNull(row.revoked_at),
  }
}
