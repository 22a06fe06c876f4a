import { recordedUsage } from '#domains/billing/recorded-usage.ts'
import { showUnitCharge } from '#domains/billing/unit-weights.ts'
import { appliedWeights } from '#domains/billing/weights-text.ts'
import { rfc3339 } from '#lib/clock.ts'
import { csvLine } from '#lib/csv.ts'
import { decimalOfScaled, MICRO_DECIMALS } from '#lib/money.ts'
import type { RequestRow } from '#storage/tables.ts'
import { unhurried } from './unhurried.ts'

const COLUMNS = [
  'id',
  'created_at',
  'key_id',
  'model',
  'endpoint',
  'stream',
  'status',
  'http_status',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'input_weight',
  'cache_read_weight',
  'cache_write_weight',
  'cache_write_1h_weight',
  'output_weight',
  'unit',
  'unit_count',
  'unit_weight',
  'credits',
  'usage_source',
  'latency_ms',
  'time_to_first_token_ms',
  'error_type',
  'error_code',
  'client_request_id',
]

/** Requests as the lines of a CSV file, the newest first below a line of names; made a few at a time. */
export async function* requestLines(batches: AsyncIterable<readonly RequestRow[]>): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for await (const rows of unhurried(batches)) yield rows.map(toLine).join('')
}

function toLine(row: RequestRow): string {
  const weights = row.weights_json === null ? null : appliedWeights(row.weights_json, recordedUsage(row))
  const unit = showUnitCharge(row.unit_json)
  return csvLine([
    row.id,
    rfc3339(row.created_at),
    row.key_id,
    row.model,
    row.endpoint,
    row.stream === 1 ? 'yes' : 'no',
    row.status,
    row.http_status,
    row.input_tokens,
    row.cache_read_tokens,
    row.cache_write_tokens,
    row.cache_write_1h_tokens,
    row.output_tokens,
    weights?.input ?? null,
    weights?.cache_read ?? null,
    weights?.cache_write ?? null,
    weights?.cache_write_1h ?? null,
    weights?.output ?? null,
    unit?.name ?? null,
    unit?.count ?? null,
    unit?.weight ?? null,
    decimalOfScaled(row.charge_micros, MICRO_DECIMALS),
    row.usage_source,
    row.latency_ms,
    row.first_token_ms,
    row.error_type,
    row.error_code,
    row.client_request_id,
  ])
}
