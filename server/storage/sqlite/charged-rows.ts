import type { SqliteConnection } from './connection.ts'
import type { OpenBalances } from './open-balances.ts'
import { type InsertFor, insertEntries, insertRequests, MissingAccount } from './post-ledger.ts'
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
  #requests: (readonly unknown[])[] = []
  #entries: (readonly unknown[])[] = []

  constructor(connection: SqliteConnection, balances: OpenBalances) {
    this.#connection = connection
    this.#balances = balances
  }

  /** Throws when the account is missing. */
  add({ accountId, requestValues, entry }: RecordedUnit): UnitOutcome {
    const balance = entry ? this.#balances.change(accountId, entry) : this.#balances.read(accountId)
    if (!balance) throw new MissingAccount()
    this.#requests.push(requestValues)
    if (entry) this.#addEntry(accountId, entry, balance)
    return { kind: 'posted', balance }
  }

  #addEntry(
    accountId: string,
    [id, , amount, requestId, , , createdAt]: NonNullable<PostingUnit['entry']>,
    [allocated, used, , sequence]: PackedBalance,
  ): void {
    this.#entries.push([id, accountId, sequence, amount, allocated - used, requestId, createdAt])
  }

  /** Writes down what was added. Throws AlreadyOnRecord. */
  write(): void {
    this.#insert(insertRequests, this.#requests)
    this.#insert(insertEntries, this.#entries)
    this.#requests = []
    this.#entries = []
  }

  #insert(textFor: InsertFor, rows: readonly (readonly unknown[])[]): void {
    const count = rows.length
    if (count > 0 && this.#connection.run(textFor(count), ...rows) !== count) throw new AlreadyOnRecord()
  }
}
