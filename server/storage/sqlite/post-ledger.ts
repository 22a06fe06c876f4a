import type { LedgerEntryRow, RequestRow } from '../tables.ts'
import type { QueryResult, SqliteConnection } from './connection.ts'
import type { PostingUnit, UnitOutcome } from './protocol.ts'

const REQUEST_COLUMNS = [
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
  'output_tokens',
  'weights_json',
  'charge_micros',
  'usage_source',
  'latency_ms',
  'first_token_ms',
  'error_type',
  'error_code',
  'client_request_id',
  'anomalous_usage_json',
  'created_at',
] as const satisfies readonly (keyof RequestRow)[]

const INSERT_REQUEST = `insert into requests (${REQUEST_COLUMNS.join(', ')})
  values (${REQUEST_COLUMNS.map(() => '?').join(', ')}) on conflict do nothing`

/** One statement for every change of a balance: a charge raises what is used, all else what is allocated. */
const CHANGE_BALANCE = `update accounts set
    allocated_micros = allocated_micros + iif(?1 = 'charge', 0, ?2),
    used_micros = used_micros - iif(?1 = 'charge', ?2, 0),
    last_allocation_micros = iif(?1 in ('purchase', 'grant') and ?2 > 0, ?2, last_allocation_micros),
    ledger_sequence = ledger_sequence + 1
  where id = ?3
  returning allocated_micros, used_micros, last_allocation_micros, ledger_sequence`

const INSERT_ENTRY = `insert into ledger_entries
  (id, account_id, sequence, kind, amount_micros, balance_after_micros, request_id, order_id, note, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const READ_BALANCE = `select allocated_micros, used_micros, last_allocation_micros, ledger_sequence
  from accounts where id = ?`

type BalanceRow = {
  allocated_micros: LedgerEntryRow['amount_micros']
  used_micros: LedgerEntryRow['amount_micros']
  last_allocation_micros: LedgerEntryRow['amount_micros']
  ledger_sequence: number
}

function firstBalance(result: QueryResult): BalanceRow | undefined {
  // The two statements above select exactly these columns.
  return result.rows[0] as BalanceRow | undefined
}

/**
 * Runs one posting inside the transaction that is open. Writes nothing when the request is already on record or the
 * account is missing; throws when anything else is wrong, and the caller rolls back.
 */
export function postLedger(connection: SqliteConnection, unit: PostingUnit): UnitOutcome {
  const { accountId, request, entry } = unit
  if (request) {
    const values = REQUEST_COLUMNS.map(column => request[column])
    if (connection.query(INSERT_REQUEST, values).changes === 0) return { kind: 'already-posted' }
  }
  const balance = entry
    ? firstBalance(connection.query(CHANGE_BALANCE, [entry.kind, entry.amount_micros, accountId]))
    : firstBalance(connection.query(READ_BALANCE, [accountId]))
  if (!balance) throw new MissingAccount()

  let entryRow: LedgerEntryRow | null = null
  if (entry) {
    entryRow = {
      ...entry,
      account_id: accountId,
      sequence: balance.ledger_sequence,
      // Bigint subtraction loses the brand; both sides are amounts.
      balance_after_micros: (balance.allocated_micros - balance.used_micros) as BalanceRow['used_micros'],
    }
    connection.query(INSERT_ENTRY, [
      entryRow.id,
      entryRow.account_id,
      entryRow.sequence,
      entryRow.kind,
      entryRow.amount_micros,
      entryRow.balance_after_micros,
      entryRow.request_id,
      entryRow.order_id,
      entryRow.note,
      entryRow.created_at,
    ])
  }
  for (const statement of unit.also) connection.query(statement.sql, statement.parameters)
  return {
    kind: 'posted',
    entry: entryRow,
    balance: {
      allocatedMicros: balance.allocated_micros,
      usedMicros: balance.used_micros,
      lastAllocationMicros: balance.last_allocation_micros,
      sequence: balance.ledger_sequence,
    },
  }
}

/** Thrown to undo a posting to an account that does not exist. */
export class MissingAccount extends Error {
  override readonly name = 'MissingAccount'
}
