import type { Compilable, Kysely } from 'kysely'
import type { Micros } from '#lib/money.ts'
import type { LedgerEntryRow, RequestRow, Tables } from './tables.ts'

/** A write, decided before it is sent. `expectRows`: the unit fails unless exactly so many rows were changed. */
export type Statement = { readonly query: Compilable; readonly expectRows?: number }

/** What became of a unit of writes. Whatever is not `committed` has left no trace. */
export type CommitOutcome =
  | { readonly kind: 'committed'; readonly rowsChanged: readonly number[] }
  /** A uniqueness rule was hit; `constraint` names its columns, such as `users.email`. */
  | { readonly kind: 'duplicate'; readonly constraint: string }
  /** A row that a foreign key points to is missing, or one that others point to was to be deleted. */
  | { readonly kind: 'reference' }
  /** The statement at `index` changed another number of rows than it expected. */
  | { readonly kind: 'unmet'; readonly index: number }

/** What an account has, as of one entry of its ledger. */
export type Balance = {
  readonly allocatedMicros: Micros
  readonly usedMicros: Micros
  readonly lastAllocationMicros: Micros
  /** Rises by one with each entry: of two readings the one with the higher sequence is the newer. */
  readonly sequence: number
}

/** A ledger entry to be made; its sequence and the balance after it follow from the ledger. */
export type NewEntry = Omit<LedgerEntryRow, 'account_id' | 'sequence' | 'balance_after_micros'>

/**
 * The only thing that changes a balance, and the only thing that writes a usage record. All of it is committed, or
 * nothing. A posting whose request or entry is already on record does nothing and says so.
 */
export type Posting = {
  readonly accountId: string
  /** The usage record to write with it, if a request is behind it. */
  readonly request: RequestRow | null
  /** null for a request that is not charged. */
  readonly entry: NewEntry | null
  /** Further rows of the same unit, such as the audit entry of a grant. */
  readonly also?: readonly Statement[]
}

export type PostingOutcome =
  | { readonly kind: 'posted'; readonly entry: LedgerEntryRow | null; readonly balance: Balance }
  | { readonly kind: 'already-posted' }
  /**
   * The store is away. The posting is on this node's disk, survives the process, and is made once the store is back.
   * Only one that has a request, and nothing but its charge, is ever deferred: never a grant or a purchase.
   */
  | { readonly kind: 'deferred' }
  | { readonly kind: 'no-account' }
  /** One of the further statements changed another number of rows than it expected: nothing was posted. */
  | { readonly kind: 'unmet'; readonly index: number }

/** Told of a posting that was deferred, when it is on the ledger. */
export type PostedLaterListener = (accountId: string, balance: Balance) => void

/**
 * One engine's store. Reads go through `db`; each sees everything that was committed before it was asked. Writes are
 * units that are decided before they are sent, so that no caller ever holds the writer while it waits for something.
 */
export type Storage = {
  readonly engine: 'sqlite' | 'postgres'
  /** Short reads. */
  readonly db: Kysely<Tables>
  /** Long reads: they never delay a short one. */
  readonly reports: Kysely<Tables>
  /** Runs all reads of `read` on one unchanging picture of the store. */
  snapshot<Result>(read: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>
  /** Commits the statements together or not at all, in one group with whatever else is being committed now. */
  commit(statements: readonly Statement[]): Promise<CommitOutcome>
  /** Commits a posting, in one group with whatever else is being committed now. Resolves after the commit. */
  post(posting: Posting): Promise<PostingOutcome>
  onPostedLater(listener: PostedLaterListener): void
  /**
   * Whether the store is there, as far as is known: while it is not, nothing new should be begun that would have to be
   * recorded. Costs nothing to ask.
   */
  isAvailable(): boolean
  /** Runs the work while no node of the service runs other work of that name: they wait for each other. */
  runAlone<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** Resolves when the store answers; throws when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A store that is only looked at, such as by a command beside the running service. */
export type ReadOnlyStorage = Pick<Storage, 'snapshot' | 'close'>

/** The store can't answer now: full, locked, gone. Callers answer 503, never as if a row were missing. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}
