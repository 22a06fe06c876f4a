/** What the event loop and the database threads say to each other: plain data that survives a structured clone. */
import type { EntryKind } from '#contract/ledger.ts'
import type { Micros } from '#lib/money.ts'
import type { CommitOutcome, PostingOutcome } from '../storage.ts'

export type SqlStatement = {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly expectRows?: number
}

export type StatementsUnit = { readonly kind: 'statements'; readonly statements: readonly SqlStatement[] }

/** One statement whose rows are wanted, such as an `insert … returning`. */
export type QueryUnit = { readonly kind: 'query'; readonly statement: SqlStatement }

/** Rows travel as lists of values in the order of the columns: names would be copied along with every one of them. */
export type PostingUnit = {
  readonly kind: 'posting'
  readonly accountId: string
  readonly requestValues: readonly unknown[] | null
  readonly entry: PackedEntry | null
  readonly also: readonly SqlStatement[]
}

export type PackedEntry = readonly [
  id: string,
  kind: EntryKind,
  amountMicros: Micros,
  requestId: string | null,
  orderId: string | null,
  note: string,
  createdAt: number,
]

/** The balance after a posting: allocated, used, last allocation, sequence. */
export type PackedBalance = readonly [Micros, Micros, Micros, number]

export type PostedOutcome = { readonly kind: 'posted'; readonly balance: PackedBalance }

export type WriteUnit = StatementsUnit | QueryUnit | PostingUnit

export type QueryOutcome = { readonly kind: 'rows'; readonly rows: unknown[]; readonly changes: number }

/** A unit that the engine itself refused to run: the caller throws it. */
export type FaultOutcome = { readonly kind: 'fault'; readonly message: string }

export type UnitOutcome =
  | CommitOutcome
  | PostedOutcome
  | Exclude<PostingOutcome, { kind: 'posted' }>
  | QueryOutcome
  | FaultOutcome

/** Charges in one list of values, which is copied in a third of the time that lists within lists take. */
export type ChargesUnit = { readonly kind: 'charges'; readonly values: readonly unknown[] }

/** A group's units as they travel: charges that come one after the other go together. */
export type TravellingUnit = WriteUnit | ChargesUnit

/** What became of a group's units; of a group that was all charges, and all of them posted, only the balances. */
export type GroupOutcome =
  | { readonly kind: 'each'; readonly outcomes: readonly UnitOutcome[] }
  /** Four numbers for each, as in `PackedBalance`. */
  | { readonly kind: 'all-posted'; readonly balances: BigInt64Array }

export type WriterRequest =
  | { readonly kind: 'write'; readonly units: readonly TravellingUnit[] }
  | { readonly kind: 'close' }

export type WriterReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed-to-open'; readonly message: string }
  /** One for each group, in the order in which the groups came. */
  | { readonly kind: 'written'; readonly group: GroupOutcome }

export type ReaderRequest = {
  readonly id: number
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export type ReaderReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed-to-open'; readonly message: string }
  | { readonly kind: 'rows'; readonly id: number; readonly rows: unknown[]; readonly changes: number }
  | { readonly kind: 'fault'; readonly id: number; readonly message: string }
