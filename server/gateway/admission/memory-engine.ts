import type { Caller } from '#domains/keys/caller.ts'
import type { KeyUse, LimitedKey } from '#domains/keys/live-use.ts'
import type { Clock } from '#lib/clock.ts'
import type { Balance } from '#storage/storage.ts'
import { BalancePictures, type BalanceReading } from './balance-pictures.ts'
import { type AdmissionDecision, type AdmissionEngine, type Controls, decided, type Slot } from './engine.ts'
import { SlidingWindow } from './sliding-window.ts'

const FORGET_INTERVAL_MS = 60_000

type KeyState = { readonly accountId: string; window: SlidingWindow; readonly inFlight: Set<number> }

/** A request that asks to be let in; if it is, it holds the slot of this number. */
export type Question = {
  readonly caller: Caller
  readonly controls: Controls
  readonly balance: Balance | undefined
  readonly slotId: number
}

/** The slots of one key that this node holds. */
export type HeldSlots = {
  readonly accountId: string
  readonly keyId: string
  readonly ids: ReadonlySet<number>
}

/** The engine of one process: alone, or as the picture that one of several nodes has of what it has let in itself. */
export type MemoryAdmission = Omit<AdmissionEngine, 'admit' | 'release' | 'learnBalance'> & {
  /** Decides at once. */
  admit(caller: Caller, controls: Controls, balance?: Balance): AdmissionDecision
  /** The same for a slot that is numbered already. */
  decide(question: Question): AdmissionDecision
  /** Counts a request that was let in by an engine which all nodes share. */
  note(question: Question): void
  release(slot: Slot): null
  learnBalance(accountId: string, balance: Balance): null
  /** Gives a slot back as `release` does; false when it was not held. */
  giveBack(slot: Slot): boolean
  /** The slots that are held for one key; null when none is. */
  heldFor(keyId: string): HeldSlots | null
  /** Every slot that is held. */
  held(): Iterable<HeldSlots>
  /** Whether the account's balance was learnt within the last so many milliseconds. */
  hasLearntWithin(accountId: string, ms: number): boolean
  newSlotId(): number
}

export type MemoryAdmissionParts = {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Where other nodes change balances too; left out where this process is the only one. */
  readonly reading?: BalanceReading
}

const heldSlots = (keyId: string, { accountId, inFlight }: KeyState): HeldSlots => ({
  accountId,
  keyId,
  ids: inFlight,
})

/** The in-process engine: exact for one node, decided at once, so no other request can come in between. */
export function createMemoryAdmission({ clock, reading }: MemoryAdmissionParts): MemoryAdmission {
  const keys = new Map<string, KeyState>()
  const balances = new BalancePictures({ clock, reading: reading ?? null })
  let lastSlotId = 0

  function stateOf({ keyId, accountId, limits }: Caller, nowMs: number): KeyState {
    const windowMs = limits.windowSeconds * 1000
    let state = keys.get(keyId)
    if (!state) {
      state = { accountId, window: new SlidingWindow(windowMs, nowMs), inFlight: new Set() }
      keys.set(keyId, state)
    } else if (state.window.windowMs !== windowMs) {
      state.window = state.window.resized(windowMs, nowMs)
    }
    return state
  }

  function decide({ caller, controls, balance, slotId }: Question): AdmissionDecision {
    const nowMs = clock.monotonicMs()
    const { window, inFlight } = stateOf(caller, nowMs)
    const { keyId, accountId, limits } = caller
    const standing = () => ({
      caller,
      controls,
      counted: window.countAt(nowMs),
      msUntilNextFree: window.msUntilNextFree(nowMs),
      inFlight: inFlight.size,
    })
    if (window.countAt(nowMs) >= limits.requests) return decided('rate-limited', standing())
    if (controls === 'rate') {
      window.add(nowMs)
      return decided('admitted', standing())
    }
    const hasCredits = balance ? balances.hasCreditsBy(accountId, balance) : balances.hasCredits(accountId)
    if (hasCredits === null) return { kind: 'balance-unknown' }
    if (!hasCredits) return decided('credits-exhausted', standing())
    if (inFlight.size >= limits.concurrency) return decided('concurrency-reached', standing())
    window.add(nowMs)
    inFlight.add(slotId)
    return decided('admitted', standing(), { accountId, keyId, id: slotId })
  }

  function giveBack({ keyId, id }: Slot): boolean {
    return keys.get(keyId)?.inFlight.delete(id) ?? false
  }

  function useOf({ keyId, limits }: LimitedKey): KeyUse {
    const state = keys.get(keyId)
    if (!state) return { keyId, requests: 0, inFlight: 0 }
    const nowMs = clock.monotonicMs()
    const windowMs = limits.windowSeconds * 1000
    const window = state.window.windowMs === windowMs ? state.window : state.window.resized(windowMs, nowMs)
    return { keyId, requests: window.countAt(nowMs), inFlight: state.inFlight.size }
  }

  /** Keys that have nothing in flight and nothing in their window are as good as new. */
  function forgetIdle(): void {
    const nowMs = clock.monotonicMs()
    for (const [keyId, { window, inFlight }] of keys) {
      if (inFlight.size === 0 && window.countAt(nowMs) === 0) keys.delete(keyId)
    }
    balances.forgetUnused()
  }

  const forgetting = setInterval(forgetIdle, FORGET_INTERVAL_MS)
  forgetting.unref()

  return {
    admit: (caller, controls, balance) => decide({ caller, controls, balance, slotId: ++lastSlotId }),
    decide,
    note: ({ caller, controls, slotId }) => {
      const nowMs = clock.monotonicMs()
      const { window, inFlight } = stateOf(caller, nowMs)
      window.add(nowMs)
      if (controls !== 'rate') inFlight.add(slotId)
    },
    giveBack,
    release: slot => {
      giveBack(slot)
      return null
    },
    learnBalance: (accountId, balance) => {
      balances.learn(accountId, balance)
      return null
    },
    heldFor: keyId => {
      const state = keys.get(keyId)
      return state && state.inFlight.size > 0 ? heldSlots(keyId, state) : null
    },
    *held() {
      for (const [keyId, state] of keys) if (state.inFlight.size > 0) yield heldSlots(keyId, state)
    },
    hasLearntWithin: (accountId, ms) => balances.wasLearntWithin(accountId, ms),
    newSlotId: () => ++lastSlotId,
    readUse: async limited => limited.map(useOf),
    close: () => clearInterval(forgetting),
  }
}
