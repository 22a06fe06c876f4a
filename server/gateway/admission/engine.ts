import type { Caller } from '#domains/keys/caller.ts'
import type { ReadKeyUse } from '#domains/keys/live-use.ts'
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
export type Slot = {
  readonly accountId: string
  readonly keyId: string
  /** Given out by the node that holds the slot, to nobody else. */
  readonly id: number
}

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
  /** The engine knows nothing of the account's balance that it may rely on: ask again with the balance. */
  | { readonly kind: 'balance-unknown' }

/**
 * Decides over rate, credits and concurrency in one atomic step, in this order; a refused request takes nothing from
 * any of the three. An engine may decide at once or after one round trip to a store that all nodes share.
 */
export type AdmissionEngine = {
  /** `balance`: the account's, just read from the store; with it the answer is never `balance-unknown`. */
  admit(caller: Caller, controls: Controls, balance?: Balance): AdmissionDecision | Promise<AdmissionDecision>
  /**
   * Gives a slot back; giving it back again does nothing. The slot is free for all nodes when this resolves; null: at once.
   * It never rejects, and waits for a store that is away for less than a second.
   */
  release(slot: Slot): Promise<void> | null
  /** Takes a balance as known, unless a newer one is known already. All nodes know it as `release` says. */
  learnBalance(accountId: string, balance: Balance): Promise<void> | null
  readUse: ReadKeyUse
  close(): void
}

/** Where a key stands: what the headers of a response tell of it. */
export type KeyStanding = {
  readonly caller: Caller
  readonly controls: Controls
  /** Requests that count in the window. */
  readonly counted: number
  readonly msUntilNextFree: number
  readonly inFlight: number
}

/** A decision as the pipeline takes it; remaining places are never below 0, not even after a limit was lowered. */
export function decided(kind: DecisionKind, standing: KeyStanding, slot: Slot | null = null): Decided {
  const { requests, concurrency } = standing.caller.limits
  return {
    kind,
    rate: {
      limit: requests,
      remaining: Math.max(0, requests - standing.counted),
      resetSeconds: Math.ceil(standing.msUntilNextFree / 1000),
    },
    concurrency:
      standing.controls === 'rate'
        ? null
        : { limit: concurrency, remaining: Math.max(0, concurrency - standing.inFlight) },
    slot,
  }
}
