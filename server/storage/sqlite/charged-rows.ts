import type { SqliteConnection } from './connection.ts'
import type { OpenBalances } from './open-balances.ts'
import { INSERT_ENTRIES, INSERT_REQUESTS, MissingAccount } from './post-ledger.ts'
import { REQUEST_COLUMNS } from './posting.ts'
import type { PackedBalance, PostingUnit, UnitOutcome, WriteUnit } from './protocol.ts'

/** A record that is there already shows only when its rows are written: then each unit has to find out for itself. */
export class AlreadyOnRecord extends Error {
  override readonly name = 'AlreadyOnRecord'
}

/** A request's record with its charge, or without one, and nothing else. */
type RecordedUnit = PostingUnit & { readonly requestValues: NonNullable<PostingUnit['requestValues']> }

export function isRecorded(unit: WriteUnit): unit is RecordedUnit {
  if (unit.kind !== 'posting' || unit.requestValues === null || unit.also.length > 0) return false
  const { entry } = unit
  if (entry === null) return true
  const [, kind, , requestId, orderId, note] = entry
  return kind === 'charge' && requestId !== null && orderId === null && note === ''
}

/**
 * The rows of a group's requests and charges, inside the transaction that is open: written with one statement a table,
 * for what a statement costs before its first row is more than what a row costs.
 */
export class ChargedRows {
  readonly #connection: SqliteConnection
  readonly #balances: OpenBalances
  #requests: unknown[] = []
  #entries: unknown[] = []

  constructor(connection: SqliteConnection, balances: OpenBalances) {
    this.#connection = connection
    this.#balances = balances
  }

  /** Throws when the account is missing. */
  add({ accountId, requestValues, entry }: RecordedUnit): UnitOutcome {
    const balance = entry ? this.#balances.change(accountId, entry) : this.#balances.read(accountId)
    if (!balance) throw new MissingAccount()
    for (let at = 0; at < REQUEST_COLUMNS.length; at++) this.#requests.push(requestValues[at])
    if (entry) this.#addEntry(accountId, entry, balance)
    return { kind: 'posted', balance }
  }

  #addEntry(
    accountId: string,
    [id, , amount, requestId, , , createdAt]: NonNullable<PostingUnit['entry']>,
    [allocated, used, , sequence]: PackedBalance,
  ): void {
    this.#entries.push(id, accountId, sequence, amount, allocated - used, requestId, createdAt)
  }

  /** Writes down what was added. Throws AlreadyOnRecord. */
  write(): void {
    this.#insert(INSERT_REQUESTS, this.#requests)
    this.#insert(INSERT_ENTRIES, this.#entries)
    this.#requests = []
    this.#entries = []
  }

  #insert({ columns, textFor }: typeof INSERT_REQUESTS, values: readonly unknown[]): void {
    const rows = values.length / columns
    if (rows > 0 && this.#connection.run(textFor(rows), values) !== rows) throw new AlreadyOnRecord()
  }
}
