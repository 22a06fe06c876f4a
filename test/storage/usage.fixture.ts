/** Usage of a few accounts over a few days, and the same sums reckoned from the bare records. */
import type { RequestStatus } from '#contract/usage.ts'
import { newId } from '#lib/id.ts'
import { micros } from '#lib/money.ts'
import type { Storage } from '#storage/storage.ts'
import type { RequestRow } from '#storage/tables.ts'
import { entryOf, requestOf } from './rows.ts'

const WEIGHTS = '{"input":"1","cache_read":"1","cache_write":"1","output":"1"}'
const STATUSES: readonly RequestStatus[] = ['succeeded', 'succeeded', 'failed', 'cancelled']
const ERRORS = [
  'invalid_request_error',
  'upstream_rate_limited',
  'upstream_error',
  'upstream_timeout',
  'internal_error',
]

export type Course = {
  readonly accounts: readonly string[]
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
  readonly models?: number
}

/** Posts requests spread over the span, as varied as they are many; gives their records. */
export async function postCourse(storage: Storage, course: Course): Promise<RequestRow[]> {
  const { accounts, fromMs, toMs, count, models = 3 } = course
  const rows = Array.from({ length: count }, (_, index): RequestRow => {
    const created_at = fromMs + Math.floor(((toMs - fromMs) * index) / count)
    const accountId = accounts[index % accounts.length] ?? ''
    const status = STATUSES[(index * 7) % STATUSES.length] ?? 'failed'
    const isKnown = index % 13 !== 0
    const isCharged = status !== 'failed' && isKnown
    return {
      ...requestOf(accountId, isCharged ? index : 0, newId('req', created_at)),
      created_at,
      key_id: `key_${accountId}_${Math.floor(index / accounts.length) % 2}`,
      model: `model-${(index * 5) % models}`,
      weights_json: isKnown ? WEIGHTS : null,
      provider: index % 3 === 0 ? null : `provider ${index % 2}`,
      status: isKnown ? status : 'failed',
      error_type: isCharged ? null : (ERRORS[index % ERRORS.length] ?? null),
      cache_read_tokens: isCharged ? index % 17 : 0,
      output_tokens: isCharged ? index % 5 : 0,
      charge_micros: micros(isCharged ? BigInt(index + (index % 17) + (index % 5)) : 0n),
      usage_source: isCharged ? (index % 4 === 0 ? 'estimate' : 'upstream') : null,
      latency_ms: (index * 37) % 20_000,
      first_token_ms: isCharged && index % 2 === 0 ? (index * 11) % 3_000 : null,
    }
  })
  const outcomes = await Promise.all(
    rows.map(request =>
      storage.post({
        accountId: request.account_id,
        request,
        entry: request.usage_source === null ? null : entryOf('charge', -request.charge_micros, request.id),
      }),
    ),
  )
  if (outcomes.some(outcome => outcome.kind !== 'posted')) throw new Error('a posting of the course failed')
  return rows
}

/** What a report must say of some records, durations aside. */
export function figuresOf(rows: readonly RequestRow[]) {
  const count = (fits: (row: RequestRow) => boolean) => rows.filter(fits).length
  const sum = (value: (row: RequestRow) => number) => rows.reduce((total, row) => total + value(row), 0)
  const failed = (type: string) => count(row => row.status === 'failed' && row.error_type === type)
  return {
    requests: rows.length,
    succeeded: count(row => row.status === 'succeeded'),
    failed: count(row => row.status === 'failed'),
    cancelled: count(row => row.status === 'cancelled'),
    failures: {
      invalid: failed('invalid_request_error'),
      throttled: failed('upstream_rate_limited'),
      upstream: failed('upstream_error'),
      timeout: failed('upstream_timeout'),
      service: failed('internal_error'),
    },
    estimated: count(row => row.usage_source === 'estimate'),
    usage: {
      input: sum(row => row.input_tokens),
      cache_read: sum(row => row.cache_read_tokens),
      cache_write: sum(row => row.cache_write_tokens),
      output: sum(row => row.output_tokens),
    },
    credits: sum(row => Number(row.charge_micros)) / 1_000_000,
  }
}
