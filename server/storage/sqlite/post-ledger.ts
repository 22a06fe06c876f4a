import type { SqliteConnection } from './connection.ts'
import type { OpenBalances } from './open-balances.ts'
import { REQUEST_COLUMNS } from './posting.ts'
import type { PostingUnit, UnitOutcome } from './protocol.ts'
import { runStatements } from './run-statements.ts'

/** The text of a statement that inserts so many rows, made once for each number. */
export type InsertFor = (rows: number) => string

function insertOf(into: string, row: string, behind = ''): InsertFor {
  const texts: string[] = []
  return rows => {
    const text = texts[rows] ?? `insert into ${into} values ${Array(rows).fill(row).join(', ')} ${behind}`
    texts[rows] = text
    return text
  }
}

/** Requests that are on record already are left out. */
export const insertRequests = insertOf(
  `requests (${REQUEST_COLUMNS.join(', ')})`,
  `(${REQUEST_COLUMNS.map(() => '?').join(', ')})`,
  'on conflict do nothing',
)

/** Charges of requests. */
export const insertEntries = insertOf(
  `ledger_entries
    (id, account_id, sequence, kind, amount_micros, balance_after_micros, request_id, order_id, note, created_at)`,
  `(?, ?, ?, 'charge', ?, ?, ?, null, '', ?)`,
)

const INSERT_ENTRY = `insert into ledger_entries
  (id, account_id, sequence, kind, amount_micros, balance_after_micros, request_id, order_id, note, created_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/**
 * Runs one posting inside the transaction that is open. Writes nothing when the request is already on record; throws
 * when the account is missing or anything else is wrong, and the caller rolls back.
 */
export function postLedger(
  connection: SqliteConnection,
  balances: OpenBalances,
  { accountId, requestValues, entry, also }: PostingUnit,
): UnitOutcome {
  if (requestValues && connection.run(insertRequests(1), requestValues) === 0) {
    return { kind: 'already-posted' }
  }
  const balance = entry ? balances.change(accountId, entry) : balances.read(accountId)
  if (!balance) throw new MissingAccount()
  const [allocated, used, , sequence] = balance
  if (entry) {
    const [id, kind, amount, requestId, orderId, note, createdAt] = entry
    const balanceAfter = allocated - used
    connection.run(INSERT_ENTRY, [
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
  if (also.length > 0) {
    // They may concern the account itself.
    balances.write()
    runStatements(connection, also)
  }
  return { kind: 'posted', balance }
}

/** Thrown to undo a posting to an account that does not exist. */
export class MissingAccount extends Error {
  override readonly name = 'MissingAccount'
}
