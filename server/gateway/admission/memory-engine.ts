import type { Caller } from '#domains/keys/caller.ts'
import type { Clock } from '#lib/clock.ts'
import type { Balance } from '#storage/storage.ts'
import type { AdmissionDecision, AdmissionEngine, Controls, RateState, Slot } from './engine.ts'
import { SlidingWindow } from './sliding-window.ts'

const FORGET_INTERVAL_MS = 60_000

type KeyState = { window: SlidingWindow; readonly inFlight: Set<number> }

/** The in-process engine: exact for one node, decided at once, so no other request can come in between. */
export function createMemoryAdmission({ clock }: { clock: Clock }): AdmissionEngine {
  const keys = new Map<string, KeyState>()
  const balances = new Map<string, Balance>()
  let lastSlotId = 0

  function stateOf(caller: Caller, nowMs: number): KeyState {
    const windowMs = caller.limits.windowSeconds * 1000
    let state = keys.get(caller.keyId)
    if (!state) {
      state = { window: new SlidingWindow(windowMs, nowMs), inFlight: new Set() }
      keys.set(caller.keyId, state)
    } else if (state.window.windowMs !== windowMs) {
      state.window = state.window.resized(windowMs, nowMs)
    }
    return state
  }

  function rateOf({ window }: KeyState, limit: number, nowMs: number): RateState {
    return {
      limit,
      remaining: Math.max(0, limit - window.countAt(nowMs)),
      resetSeconds: Math.ceil(window.msUntilNextFree(nowMs) / 1000),
    }
  }

  function admit(caller: Caller, controls: Controls): AdmissionDecision {
    const nowMs = clock.monotonicMs()
    const { requests, concurrency } = caller.limits
    const state = stateOf(caller, nowMs)
    if (state.window.countAt(nowMs) >= requests) {
      return { kind: 'rate-limited', rate: rateOf(state, requests, nowMs) }
    }
    if (controls === 'rate') {
      state.window.add(nowMs)
      return { kind: 'admitted', rate: rateOf(state, requests, nowMs), concurrency: null, slot: null }
    }
    const balance = balances.get(caller.accountId)
    if (!balance) return { kind: 'balance-unknown' }
    if (balance.allocatedMicros <= balance.usedMicros) {
      return { kind: 'credits-exhausted', rate: rateOf(state, requests, nowMs) }
    }
    if (state.inFlight.size >= concurrency) {
      const reached = { limit: concurrency, remaining: 0 }
      return { kind: 'concurrency-reached', rate: rateOf(state, requests, nowMs), concurrency: reached }
    }
    state.window.add(nowMs)
    const slot: Slot = { keyId: caller.keyId, id: ++lastSlotId }
    state.inFlight.add(slot.id)
    return {
      kind: 'admitted',
      rate: rateOf(state, requests, nowMs),
      concurrency: { limit: concurrency, remaining: concurrency - state.inFlight.size },
      slot,
    }
  }

  /** Keys that have nothing in flight and nothing in their window are as good as new. */
  function forgetIdleKeys(): void {
    const nowMs = clock.monotonicMs()
    for (const [keyId, { window, inFlight }] of keys) {
      if (inFlight.size === 0 && window.countAt(nowMs) === 0) keys.delete(keyId)
    }
  }

  const forgetting = setInterval(forgetIdleKeys, FORGET_INTERVAL_MS)
  forgetting.unref()

  return {
    admit,
    release: slot => {
      keys.get(slot.keyId)?.inFlight.delete(slot.id)
    },
    learnBalance: (accountId, balance) => {
      const known = balances.get(accountId)
      if (!known || balance.sequence > known.sequence) balances.set(accountId, balance)
    },
    close: () => clearInterval(forgetting),
  }
}
