import type { z } from 'zod'
import type { ownedRequestDetail, ownedRequestRecord } from '#contract/usage.ts'
import { recordedUsage } from '#domains/billing/recorded-usage.ts'
import { showUnitCharge } from '#domains/billing/unit-weights.ts'
import { appliedWeights } from '#domains/billing/weights-text.ts'
import { rfc3339 } from '#lib/clock.ts'
import { creditsFromMicros } from '#lib/money.ts'
import type { RequestRow } from '#storage/tables.ts'
import { attemptsFromJson } from './attempts.ts'

export type RequestRecord = z.infer<typeof ownedRequestRecord>
export type RequestDetail = z.infer<typeof ownedRequestDetail>

/** A usage record with its account; what customers see of it leaves that out. */
export function toRequestRecord(row: RequestRow): RequestRecord {
  const usage = recordedUsage(row)
  return {
    id: row.id,
    account_id: row.account_id,
    object: 'request',
    created_at: rfc3339(row.created_at),
    key_id: row.key_id,
    model: row.model,
    endpoint: row.endpoint,
    stream: row.stream === 1,
    route:
      row.provider === null || row.upstream_model === null
        ? null
        : { provider: row.provider, upstream_model: row.upstream_model },
    status: row.status,
    http_status: row.http_status,
    usage,
    weights: row.weights_json === null ? null : appliedWeights(row.weights_json, usage),
    unit: showUnitCharge(row.unit_json),
    credits: creditsFromMicros(row.charge_micros),
    usage_source: row.usage_source,
    latency_ms: row.latency_ms,
    time_to_first_token_ms: row.first_token_ms,
    error: row.error_type === null ? null : { type: row.error_type, code: row.error_code },
    attempts: attemptsFromJson(row.attempts_json),
    client_request_id: row.client_request_id,
  }
}
