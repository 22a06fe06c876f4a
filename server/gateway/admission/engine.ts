import type { Caller } from '#domains/keys/caller.ts'
import type { Balance } from '#storage/storage.ts'

/** Which of the three controls stand before a route. */
export type Controls = 'rate' | 'rate, credits and concurrency'

/** The caller's request-rate limit, as the response headers tell it. */
export type RateState = {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the oldest request of the window leaves it and frees a place; 0 when none is counted. */
  readonly resetSeconds: number
}

export type ConcurrencyState = { readonly limit: number; readonly remaining: number }

/** A place among the requests in flight of a key; held until it is given back. */
export type Slot = { readonly keyId: string; readonly id: number }

export type DecisionKind = 'admitted' | 'rate-limited' | 'credits-exhausted' | 'concurrency-reached'

/** What was decided, and where the key stands after it. */
export type Decided = {
  readonly kind: DecisionKind
  readonly rate: RateState
  /** null where concurrency does not count. */
  readonly concurrency: ConcurrencyState | null
  /** The place of an admitted generation request; null for all others. */
  readonly slot: Slot | null
}

export type AdmissionDecision =
  | Decided
  /** The engine does not know the account's balance: teach it with `learnBalance` and ask again. */
  | { readonly kind: 'balance-unknown' }

/**
 * Decides over rate, credits and concurrency in one atomic step, in this order; a refused request takes nothing from
 * any of the three. An engine may decide at once or after one round trip to a store that all nodes share.
 */
export type AdmissionEngine = {
  admit(caller: Caller, controls: Controls): AdmissionDecision | Promise<AdmissionDecision>
  /** Gives a slot back; giving it back again does nothing. */
  release(slot: Slot): void
  /** Takes a balance as known, unless a newer one is known already. */
  learnBalance(accountId: string, balance: Balance): void
  close(): void
}
