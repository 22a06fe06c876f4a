/** Rows to store in tests. */
import type { EntryKind } from '#contract/ledger.ts'
import { newId } from '#lib/id.ts'
import { micros, ZERO_MICROS } from '#lib/money.ts'
import type { NewEntry, Storage } from '#storage/storage.ts'
import type { RequestRow } from '#storage/tables.ts'

/** Puts an account with an owner into the store; gives its id. */
export async function insertAccount(storage: Storage, id = newId('acc')): Promise<string> {
  const { db } = storage
  const owner = newId('usr')
  const outcome = await storage.commit([
    {
      query: db.insertInto('accounts').values({
        id,
        name: 'An account',
        owner_id: owner,
        status: 'active',
        allocated_micros: ZERO_MICROS,
        used_micros: ZERO_MICROS,
        last_allocation_micros: ZERO_MICROS,
        ledger_sequence: 0,
        created_at: 1,
      }),
    },
    {
      query: db.insertInto('users').values({
        id: owner,
        account_id: id,
        email: `${owner}@example.org`,
        name: 'Someone',
        password_hash: '',
        status: 'active',
        created_at: 1,
      }),
    },
  ])
  if (outcome.kind !== 'committed') throw new Error(outcome.kind)
  return id
}

export function entryOf(kind: EntryKind, amount: bigint, requestId: string | null = null): NewEntry {
  return {
    id: newId('led'),
    kind,
    amount_micros: micros(amount),
    request_id: requestId,
    order_id: null,
    note: '',
    created_at: 2,
  }
}

/** A request of so many plain input tokens at one micro-credit each. */
export function requestOf(accountId: string, tokens: number, id = newId('req')): RequestRow {
  return {
    id,
    account_id: accountId,
    key_id: 'key_1',
    model: 'a/model',
    endpoint: 'chat',
    stream: 0,
    provider: 'An upstream',
    upstream_model: 'model',
    status: 'succeeded',
    http_status: 200,
    input_tokens: tokens,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: 0,
    unit_json: null,
    weights_json: '{"input":"1","cache_read":"1","cache_write":"1","output":"1"}',
    charge_micros: micros(BigInt(tokens)),
    usage_source: 'upstream',
    latency_ms: 5,
    first_token_ms: null,
    error_type: null,
    error_code: null,
    client_request_id: null,
    anomalous_usage_json: null,
    attempts_json: null,
    created_at: 3,
  }
}

/** Posts a charge for a new request of so many micro-credits. */
export function charge(storage: Storage, accountId: string, tokens: number, requestId = newId('req')) {
  return storage.post({
    accountId,
    request: requestOf(accountId, tokens, requestId),
    entry: entryOf('charge', BigInt(-tokens), requestId),
  })
}
