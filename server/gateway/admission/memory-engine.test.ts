import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '#domains/keys/caller.ts'
import { type Micros, micros } from '#lib/money.ts'
import type { AdmissionEngine, Controls, Decided, Slot } from './engine.ts'
import { createMemoryAdmission } from './memory-engine.ts'

const ALL: Controls = 'rate, credits and concurrency'

let nowMs: number
let engine: AdmissionEngine
beforeEach(() => {
  nowMs = 5_000_000
  engine = createMemoryAdmission({ clock: { now: () => nowMs, monotonicMs: () => nowMs } })
  learn('acc_1', 100n)
})
afterEach(() => engine.close())

function learn(accountId: string, leftMicros: bigint, sequence = 1): void {
  const allocatedMicros: Micros = micros(1_000n)
  const balance = {
    allocatedMicros,
    usedMicros: micros(1_000n - leftMicros),
    lastAllocationMicros: allocatedMicros,
    sequence,
  }
  engine.learnBalance(accountId, balance)
}

type CallerOptions = Partial<Caller['limits']> & { keyId?: string; accountId?: string }

function caller({ keyId = 'key_1', accountId = 'acc_1', ...limits }: CallerOptions = {}): Caller {
  return {
    keyId,
    accountId,
    userId: 'usr_1',
    expiresAt: null,
    limits: { requests: 5, windowSeconds: 60, concurrency: 3, ...limits },
  }
}

function admit(who: Caller = caller(), controls: Controls = ALL): Decided {
  const decision = engine.admit(who, controls)
  if (decision instanceof Promise || decision.kind === 'balance-unknown')
    throw new Error('Not decided at once')
  return decision
}

function slotOf({ slot }: Decided): Slot {
  if (!slot) throw new Error('Not admitted')
  return slot
}

describe('refusals come in one order and take nothing', () => {
  const spent = () => learn('acc_1', 0n, 2)

  test('rate before credits before concurrency', () => {
    const tight = caller({ requests: 1, concurrency: 1 })
    admit(tight)
    spent()
    expect(admit(tight).kind).toBe('rate-limited')
    expect(admit(caller({ requests: 2, concurrency: 1 })).kind).toBe('credits-exhausted')
    learn('acc_1', 1n, 3)
    expect(admit(caller({ requests: 2, concurrency: 1 })).kind).toBe('concurrency-reached')
  })

  test('a request refused for credits has no place in the window and no slot', () => {
    spent()
    for (let count = 0; count < 20; count++) {
      expect(admit()).toMatchObject({
        kind: 'credits-exhausted',
        slot: null,
        rate: { remaining: 5 },
        concurrency: { remaining: 3 },
      })
    }
  })

  test('a request refused for concurrency has no place in the window', () => {
    const narrow = caller({ concurrency: 1 })
    const slot = slotOf(admit(narrow))
    for (let count = 0; count < 20; count++) {
      expect(admit(narrow)).toMatchObject({
        kind: 'concurrency-reached',
        rate: { remaining: 4 },
        concurrency: { limit: 1, remaining: 0 },
      })
    }
    engine.release(slot)
    expect(admit(narrow)).toMatchObject({ kind: 'admitted', rate: { remaining: 3 } })
  })

  test('a request refused for its rate does not prolong the wait', () => {
    const one = caller({ requests: 1 })
    admit(one)
    for (let second = 0; second < 59; second++) {
      nowMs += 1_000
      expect(admit(one).kind).toBe('rate-limited')
    }
    nowMs += 2_000
    expect(admit(one).kind).toBe('admitted')
  })
})

describe('slots', () => {
  test('one that is given back twice frees one place', () => {
    const two = caller({ requests: 100, concurrency: 2 })
    const first = slotOf(admit(two))
    admit(two)
    engine.release(first)
    engine.release(first)
    expect(admit(two).kind).toBe('admitted')
    expect(admit(two).kind).toBe('concurrency-reached')
  })

  test('are held however long a request takes, and when its key is idle otherwise', () => {
    const one = caller({ concurrency: 1 })
    admit(one)
    nowMs += 24 * 3_600_000
    expect(admit(one).kind).toBe('concurrency-reached')
  })

  test('never exceed the cap, and none is lost, for any order of arrivals and ends', () => {
    const step = fc.oneof(fc.constant('arrive' as const), fc.nat(20))
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 200 }),
        fc.integer({ min: 1, max: 6 }),
        fc.uuid(),
        (steps, cap, keyId) => {
          const who = caller({ keyId, requests: 1_000_000, concurrency: cap })
          const held: Slot[] = []
          for (const now of steps) {
            if (now === 'arrive') {
              const { kind, slot, concurrency } = admit(who)
              expect(kind).toBe(held.length < cap ? 'admitted' : 'concurrency-reached')
              if (slot) held.push(slot)
              expect(concurrency).toEqual({ limit: cap, remaining: cap - held.length })
            } else {
              for (const slot of held.splice(now, 1)) engine.release(slot)
            }
          }
        },
      ),
    )
  })
})

describe('limits', () => {
  test('are those of the moment: a raised cap lets the next one in, a lowered one cuts nobody off', () => {
    const slots = [slotOf(admit(caller({ concurrency: 2 }))), slotOf(admit(caller({ concurrency: 2 })))]
    expect(admit(caller({ concurrency: 3 })).kind).toBe('admitted')
    expect(admit(caller({ concurrency: 1 }))).toMatchObject({
      kind: 'concurrency-reached',
      concurrency: { remaining: 0 },
    })
    for (const slot of slots) engine.release(slot)
    expect(admit(caller({ concurrency: 1 })).kind).toBe('concurrency-reached')
    expect(admit(caller({ concurrency: 2 })).kind).toBe('admitted')
  })

  test('a longer window counts what came before it was set', () => {
    for (let count = 0; count < 5; count++) admit(caller({ concurrency: 9 }))
    expect(admit(caller({ concurrency: 9, windowSeconds: 120 })).kind).toBe('rate-limited')
    nowMs += 90_000
    expect(admit(caller({ concurrency: 9, windowSeconds: 120 })).kind).toBe('rate-limited')
  })

  test('of one key are no matter of another', () => {
    const one = caller({ requests: 1, concurrency: 1 })
    admit(one)
    expect(admit(one).kind).toBe('rate-limited')
    expect(admit({ ...one, keyId: 'key_2' }).kind).toBe('admitted')
  })
})

describe('balances', () => {
  test('are asked for once, and a newer one is never replaced by an older', () => {
    const other = caller({ keyId: 'key_2', accountId: 'acc_2' })
    expect(engine.admit(other, ALL)).toEqual({ kind: 'balance-unknown' })
    learn('acc_2', 10n, 7)
    learn('acc_2', 0n, 6)
    expect(admit(other).kind).toBe('admitted')
    learn('acc_2', 0n, 8)
    expect(admit(other).kind).toBe('credits-exhausted')
  })

  test('a question that found no balance took nothing', () => {
    const other = caller({ keyId: 'key_2', accountId: 'acc_2' })
    expect(engine.admit(other, ALL)).toEqual({ kind: 'balance-unknown' })
    learn('acc_2', 10n)
    expect(admit(other)).toMatchObject({ rate: { remaining: 4 }, concurrency: { remaining: 2 } })
  })

  test.each([
    [1n, 'admitted'],
    [0n, 'credits-exhausted'],
    [-1n, 'credits-exhausted'],
  ])('of %s micro-credits: %s', (left, kind) => {
    learn('acc_1', left, 2)
    expect(admit().kind).toBe(kind)
  })

  test('do not matter to what only counts in the rate', () => {
    learn('acc_1', -5n, 2)
    expect(admit(caller(), 'rate')).toMatchObject({
      kind: 'admitted',
      slot: null,
      concurrency: null,
      rate: { remaining: 4 },
    })
    expect(engine.admit(caller({ accountId: 'acc_unknown' }), 'rate')).toMatchObject({ kind: 'admitted' })
  })
})
