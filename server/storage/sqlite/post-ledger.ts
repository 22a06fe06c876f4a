import type { Micros } from '#lib/money.ts'
import type { QueryResult, SqliteConnection } from './connection.ts'
import { REQUEST_COLUMNS } from './posting.ts'
import type { PostingUnit, UnitOutcome } from './protocol.ts'
import { runStatements } from './run-statements.ts'

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
  allocated_micros: Micros
  used_micros: Micros
  last_allocation_micros: Micros
  ledger_sequence: number
}

function firstBalance(result: QueryResult): BalanceRow | undefined {
  // The two statements above select exactly these columns.
  return result.rows[0] as BalanceRow | undefined
}

/**
 * Runs one posting inside the transaction that is open. Writes nothing when the request is already on record; throws
 * when the account is missing or anything else is wrong, and the caller rolls back.
 */
export function postLedger(connection: SqliteConnection, unit: PostingUnit): UnitOutcome {
  const { accountId, requestValues, entry } = unit
  if (requestValues && connection.query(INSERT_REQUEST, requestValues).changes === 0) {
    return { kind: 'already-posted' }
  }
  const balance = entry
    ? firstBalance(connection.query(CHANGE_BALANCE, [entry[1], entry[2], accountId]))
    : firstBalance(connection.query(READ_BALANCE, [accountId]))
  if (!balance) throw new MissingAccount()
  const { allocated_micros: allocated, used_micros: used, ledger_sequence: sequence } = balance
  if (entry) {
    const [id, kind, amount, requestId, orderId, note, createdAt] = entry
    const balanceAfter = allocated - used
    connection.query(INSERT_ENTRY, [
      id,
      accountId,
      sequence,
      kind,
      amount,
      balanceAfter,
      requestId,
      orderId,
      note,
      createdAt,
    ])
  }
  runStatements(connection, unit.also)
  return { kind: 'posted', balance: [allocated, used, balance.last_allocation_micros, sequence] }
}

/** Thrown to undo a posting to an account that does not exist. */
export class MissingAccount extends Error {
  override readonly name = 'MissingAccount'
}
