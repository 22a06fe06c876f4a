import type { Caller } from '#domains/keys/caller.ts'
import type { Clock } from '#lib/clock.ts'
import type { Balance } from '#storage/storage.ts'
import type { AdmissionDecision, AdmissionEngine, Controls, DecisionKind, Slot } from './engine.ts'
import { SlidingWindow } from './sliding-window.ts'

const FORGET_INTERVAL_MS = 60_000

type KeyState = { window: SlidingWindow; readonly inFlight: Set<number> }

type Deciding = {
  readonly caller: Caller
  readonly state: KeyState
  readonly nowMs: number
  readonly controls: Controls
  readonly slot: Slot | null
}

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

  function decided(
    kind: DecisionKind,
    { caller, state, nowMs, slot, controls }: Deciding,
  ): AdmissionDecision {
    const { requests, concurrency } = caller.limits
    return {
      kind,
      rate: {
        limit: requests,
        remaining: Math.max(0, requests - state.window.countAt(nowMs)),
        resetSeconds: Math.ceil(state.window.msUntilNextFree(nowMs) / 1000),
      },
      concurrency:
        controls === 'rate'
          ? null
          : { limit: concurrency, remaining: Math.max(0, concurrency - state.inFlight.size) },
      slot,
    }
  }

  function admit(caller: Caller, controls: Controls): AdmissionDecision {
    const nowMs = clock.monotonicMs()
    const state = stateOf(caller, nowMs)
    const deciding = { caller, state, nowMs, controls, slot: null }
    if (state.window.countAt(nowMs) >= caller.limits.requests) return decided('rate-limited', deciding)
    if (controls === 'rate') {
      state.window.add(nowMs)
      return decided('admitted', deciding)
    }
    const balance = balances.get(caller.accountId)
    if (!balance) return { kind: 'balance-unknown' }
    if (balance.allocatedMicros <= balance.usedMicros) return decided('credits-exhausted', deciding)
    if (state.inFlight.size >= caller.limits.concurrency) return decided('concurrency-reached', deciding)
    state.window.add(nowMs)
    const slot: Slot = { keyId: caller.keyId, id: ++lastSlotId }
    state.inFlight.add(slot.id)
    return decided('admitted', { ...deciding, slot })
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
