/** Postings as they travel to the writer thread and back. */
import { micros } from '#lib/money.ts'
import type { RolledUpRequest } from '../roll-ups/roll-up.ts'
import type { Balance, NewEntry, Posting, PostingOutcome } from '../storage.ts'
import type { LedgerEntryRow, RequestRow } from '../tables.ts'
import type { PackedBalance, PackedEntry, PostingUnit, SqlStatement } from './protocol.ts'

/** The columns of a usage record, in the order in which its values travel. */
export const REQUEST_COLUMNS = [
  'id',
  'account_id',
  'key_id',
  'model',
  'endpoint',
  'stream',
  'provider',
  'upstream_model',
  'status',
  'http_status',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'weights_json',
  'unit_json',
  'charge_micros',
  'usage_source',
  'latency_ms',
  'first_token_ms',
  'error_type',
  'error_code',
  'client_request_id',
  'anomalous_usage_json',
  'attempts_json',
  'created_at',
] as const satisfies readonly (keyof RequestRow)[]

export function packPosting(
  { accountId, request, entry }: Posting,
  also: readonly SqlStatement[],
): PostingUnit {
  return {
    kind: 'posting',
    accountId,
    requestValues: request && requestValues(request),
    entry: entry && packEntry(entry),
    also,
  }
}

/** The values of the columns above, in their order; each read by its own name, which is what engines do fast. */
function requestValues(row: RequestRow): unknown[] {
  return [
    row.id,
    row.account_id,
    row.key_id,
    row.model,
    row.endpoint,
    row.stream,
    row.provider,
    row.upstream_model,
    row.status,
    row.http_status,
    row.input_tokens,
    row.cache_read_tokens,
    row.cache_write_tokens,
    row.cache_write_1h_tokens,
    row.output_tokens,
    row.weights_json,
    row.unit_json,
    row.charge_micros,
    row.usage_source,
    row.latency_ms,
    row.first_token_ms,
    row.error_type,
    row.error_code,
    row.client_request_id,
    row.anomalous_usage_json,
    row.attempts_json,
    row.created_at,
  ]
}

function packEntry(entry: NewEntry): PackedEntry {
  return [
    entry.id,
    entry.kind,
    entry.amount_micros,
    entry.request_id,
    entry.order_id,
    entry.note,
    entry.created_at,
  ]
}

/** What became of a posting, with the entry as the ledger has it now. */
export function unpackPosted({ accountId, entry }: Posting, packed: PackedBalance): PostingOutcome {
  const [allocatedMicros, usedMicros, lastAllocationMicros, sequence] = packed
  const balance: Balance = { allocatedMicros, usedMicros, lastAllocationMicros, sequence }
  // Every posting of a request comes by here: named one by one, its values are copied much faster.
  const made: LedgerEntryRow | null = entry && {
    id: entry.id,
    account_id: accountId,
    sequence,
    kind: entry.kind,
    amount_micros: entry.amount_micros,
    balance_after_micros: micros(allocatedMicros - usedMicros),
    request_id: entry.request_id,
    order_id: entry.order_id,
    note: entry.note,
    created_at: entry.created_at,
  }
  return { kind: 'posted', entry: made, balance }
}

const PLACE = Object.fromEntries(REQUEST_COLUMNS.map((column, index) => [column, index])) as Record<
  (typeof REQUEST_COLUMNS)[number],
  // The list holds every column once, so each has its place.
  number
>

/** What roll-ups need of a record that travelled as a list of values. */
export function toRolledUpRequest(values: readonly unknown[]): RolledUpRequest {
  // `requestValues` has put each of these values in its place.
  const at = <Column extends keyof RolledUpRequest>(column: Column) =>
    values[PLACE[column]] as RequestRow[Column]
  return {
    account_id: at('account_id'),
    key_id: at('key_id'),
    model: at('model'),
    endpoint: at('endpoint'),
    provider: at('provider'),
    status: at('status'),
    input_tokens: at('input_tokens'),
    cache_read_tokens: at('cache_read_tokens'),
    cache_write_tokens: at('cache_write_tokens'),
    output_tokens: at('output_tokens'),
    weights_json: at('weights_json'),
    charge_micros: at('charge_micros'),
    usage_source: at('usage_source'),
    latency_ms: at('latency_ms'),
    first_token_ms: at('first_token_ms'),
    error_type: at('error_type'),
    created_at: at('created_at'),
  }
}
