import { type Micros, micros } from '#lib/money.ts'
import type { SqliteConnection } from './connection.ts'
import type { PackedBalance, PackedEntry } from './protocol.ts'

const READ = `select allocated_micros, used_micros, last_allocation_micros, ledger_sequence
  from accounts where id = ?`

const WRITE = `update accounts set
    allocated_micros = ?, used_micros = ?, last_allocation_micros = ?, ledger_sequence = ?
  where id = ?`

type BalanceRow = {
  readonly allocated_micros: Micros
  readonly used_micros: Micros
  readonly last_allocation_micros: Micros
  readonly ledger_sequence: number
}

type OpenBalance = { balance: PackedBalance; isChanged: boolean }

/**
 * The balances that a group changes, inside the transaction that is open: each is read once and written once, however
 * many postings there are. Nobody else can change them meanwhile, for there is one writer at a time.
 */
export class OpenBalances {
  readonly #connection: SqliteConnection
  readonly #open = new Map<string, OpenBalance>()

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  /** The account's balance as it is now; undefined when there is no such account. */
  read(accountId: string): PackedBalance | undefined {
    return this.#find(accountId)?.balance
  }

  /** The balance after the entry; undefined when there is no such account. */
  change(accountId: string, [, kind, amount]: PackedEntry): PackedBalance | undefined {
    const open = this.#find(accountId)
    if (!open) return undefined
    const [allocated, used, lastAllocation, sequence] = open.balance
    open.isChanged = true
    if (kind === 'charge') {
      open.balance = [allocated, micros(used - amount), lastAllocation, sequence + 1]
    } else {
      const isAllocation = (kind === 'purchase' || kind === 'grant') && amount > 0n
      open.balance = [micros(allocated + amount), used, isAllocation ? amount : lastAllocation, sequence + 1]
    }
    return open.balance
  }

  /** Writes down what was changed. What is asked for after this is read anew. */
  write(): void {
    for (const [accountId, { balance, isChanged }] of this.#open) {
      if (isChanged) this.#connection.run(WRITE, [...balance, accountId])
    }
    this.#open.clear()
  }

  #find(accountId: string): OpenBalance | undefined {
    const known = this.#open.get(accountId)
    if (known) return known
    // The statement selects exactly these columns.
    const row = this.#connection.query(READ, [accountId]).rows[0] as BalanceRow | undefined
    if (!row) return undefined
    const open: OpenBalance = {
      balance: [row.allocated_micros, row.used_micros, row.last_allocation_micros, row.ledger_sequence],
      isChanged: false,
    }
    this.#open.set(accountId, open)
    return open
  }
}
