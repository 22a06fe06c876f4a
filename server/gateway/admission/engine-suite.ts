/** What every engine promises: the same tests run over each of them. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '#domains/keys/caller.ts'
import { type Micros, micros } from '#lib/money.ts'
import type { AdmissionEngine, Controls, Decided, Slot } from './engine.ts'

const ALL: Controls = 'rate, credits and concurrency'

/** An engine whose time a test moves. */
export type EngineOnStage = {
  readonly engine: AdmissionEngine
  /** Lets time pass, in which the engine does what it does by itself. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

export type SuiteOptions = {
  readonly open: () => Promise<EngineOnStage>
  /** How many runs a property gets. */
  readonly runs: number
}

/** Declares the tests for one engine. */
export function testEngine({ open, runs }: SuiteOptions): void {
  let stage: EngineOnStage
  let engine: AdmissionEngine
  beforeEach(async () => {
    stage = await open()
    engine = stage.engine
    learn('acc_1', 100n)
  })
  afterEach(() => stage.close())

  function learn(accountId: string, leftMicros: bigint, sequence = 1): void {
    const allocatedMicros: Micros = micros(1_000n)
    const balance = {
      allocatedMicros,
      usedMicros: micros(1_000n - leftMicros),
      lastAllocationMicros: allocatedMicros,
      sequence,
    }
    void engine.learnBalance(accountId, balance)
  }

  type CallerOptions = Partial<Caller['limits']> & { keyId?: string; accountId?: string }

  function caller({ keyId = 'key_1', accountId = 'acc_1', ...limits }: CallerOptions = {}): Caller {
    return {
      keyId,
      accountId,
      userId: 'usr_1',
      expiresAt: null,
      models: null,
      spendingCap: null,
      limits: { requests: 5, windowSeconds: 60, concurrency: 3, ...limits },
    }
  }

  async function admit(who: Caller = caller(), controls: Controls = ALL): Promise<Decided> {
    const decision = await engine.admit(who, controls)
    if (decision.kind === 'balance-unknown') throw new Error('The balance should be known')
    return decision
  }

  function slotOf({ slot }: Decided): Slot {
    if (!slot) throw new Error('Not admitted')
    return slot
  }

  describe('refusals come in one order and take nothing', () => {
    const spent = () => learn('acc_1', 0n, 2)

    test('rate before credits before concurrency', async () => {
      const tight = caller({ requests: 1, concurrency: 1 })
      await admit(tight)
      spent()
      expect((await admit(tight)).kind).toBe('rate-limited')
      expect((await admit(caller({ requests: 2, concurrency: 1 }))).kind).toBe('credits-exhausted')
      learn('acc_1', 1n, 3)
      expect((await admit(caller({ requests: 2, concurrency: 1 }))).kind).toBe('concurrency-reached')
    })

    test('a request refused for credits has no place in the window and no slot', async () => {
      spent()
      for (let count = 0; count < 20; count++) {
        expect(await admit()).toMatchObject({
          kind: 'credits-exhausted',
          slot: null,
          rate: { remaining: 5 },
          concurrency: { remaining: 3 },
        })
      }
    })

    test('a request refused for concurrency has no place in the window', async () => {
      const narrow = caller({ concurrency: 1 })
      const slot = slotOf(await admit(narrow))
      for (let count = 0; count < 20; count++) {
        expect(await admit(narrow)).toMatchObject({
          kind: 'concurrency-reached',
          rate: { remaining: 4 },
          concurrency: { limit: 1, remaining: 0 },
        })
      }
      await engine.release(slot)
      expect(await admit(narrow)).toMatchObject({ kind: 'admitted', rate: { remaining: 3 } })
    })

    test('a request refused for its rate does not prolong the wait', async () => {
      const one = caller({ requests: 1 })
      await admit(one)
      for (let second = 0; second < 59; second++) {
        await stage.pass(1_000)
        expect((await admit(one)).kind).toBe('rate-limited')
      }
      await stage.pass(2_000)
      expect((await admit(one)).kind).toBe('admitted')
    })
  })

  describe('use of limits', () => {
    const other = caller({ keyId: 'key_2' })
    const use = async () =>
      (await engine.readUse([caller(), other])).map(({ requests, inFlight }) => [requests, inFlight])

    test('tells requests in the window and in flight, key by key', async () => {
      expect(await use()).toEqual([
        [0, 0],
        [0, 0],
      ])
      const slot = slotOf(await admit())
      await admit()
      await admit(caller(), 'rate')
      await admit(other)
      expect(await use()).toEqual([
        [3, 2],
        [1, 1],
      ])
      await engine.release(slot)
      expect(await use()).toEqual([
        [3, 1],
        [1, 1],
      ])
    })

    test('takes nothing, and tells what the next request will be told', async () => {
      for (let count = 0; count < 9; count++) {
        if (count % 3 === 0) await admit(caller(), 'rate')
        await stage.pass(20_000)
        const [key] = await engine.readUse([caller()])
        const { rate } = await admit(caller({ requests: 1_000 }), 'rate')
        expect(1_000 - rate.remaining).toBe((key?.requests ?? 0) + 1)
      }
    })

    test('is told of a window of another length by what may still count', async () => {
      await admit(caller(), 'rate')
      await stage.pass(20_000)
      await admit(caller(), 'rate')
      const used = async (windowSeconds: number) =>
        (await engine.readUse([caller({ windowSeconds })]))[0]?.requests
      expect([await used(10), await used(60), await used(600)]).toEqual([1, 2, 2])
    })
  })

  describe('slots', () => {
    test('one that is given back twice frees one place', async () => {
      const two = caller({ requests: 100, concurrency: 2 })
      const first = slotOf(await admit(two))
      await admit(two)
      await engine.release(first)
      await engine.release(first)
      expect((await admit(two)).kind).toBe('admitted')
      expect((await admit(two)).kind).toBe('concurrency-reached')
    })

    test('are held however long a request takes, and when its key is idle otherwise', async () => {
      const one = caller({ concurrency: 1 })
      await admit(one)
      await stage.pass(10 * 60_000)
      expect((await admit(one)).kind).toBe('concurrency-reached')
    })

    test('never exceed the cap, and none is lost, for any order of arrivals and ends', async () => {
      const step = fc.oneof(fc.constant('arrive' as const), fc.nat(20))
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 200 }),
          fc.integer({ min: 1, max: 6 }),
          fc.uuid(),
          async (steps, cap, keyId) => {
            const who = caller({ keyId, requests: 1_000_000, concurrency: cap })
            const held: Slot[] = []
            for (const now of steps) {
              if (now === 'arrive') {
                const { kind, slot, concurrency } = await admit(who)
                expect(kind).toBe(held.length < cap ? 'admitted' : 'concurrency-reached')
                if (slot) held.push(slot)
                expect(concurrency).toEqual({ limit: cap, remaining: cap - held.length })
              } else {
                for (const slot of held.splice(now, 1)) await engine.release(slot)
              }
            }
          },
        ),
        { numRuns: runs },
      )
    })
  })

  describe('limits', () => {
    test('are those of the moment: a raised cap lets the next one in, a lowered one cuts nobody off', async () => {
      const slots = [
        slotOf(await admit(caller({ concurrency: 2 }))),
        slotOf(await admit(caller({ concurrency: 2 }))),
      ]
      expect((await admit(caller({ concurrency: 3 }))).kind).toBe('admitted')
      expect(await admit(caller({ concurrency: 1 }))).toMatchObject({
        kind: 'concurrency-reached',
        concurrency: { remaining: 0 },
      })
      for (const slot of slots) await engine.release(slot)
      expect((await admit(caller({ concurrency: 1 }))).kind).toBe('concurrency-reached')
      expect((await admit(caller({ concurrency: 2 }))).kind).toBe('admitted')
    })

    test('a longer window counts what came before it was set', async () => {
      for (let count = 0; count < 5; count++) await admit(caller({ concurrency: 9 }))
      expect((await admit(caller({ concurrency: 9, windowSeconds: 120 }))).kind).toBe('rate-limited')
      await stage.pass(90_000)
      expect((await admit(caller({ concurrency: 9, windowSeconds: 120 }))).kind).toBe('rate-limited')
    })

    test('of one key are no matter of another', async () => {
      const one = caller({ requests: 1, concurrency: 1 })
      await admit(one)
      expect((await admit(one)).kind).toBe('rate-limited')
      expect((await admit({ ...one, keyId: 'key_2' })).kind).toBe('admitted')
    })
  })

  describe('balances', () => {
    test('are asked for once, and a newer one is never replaced by an older', async () => {
      const other = caller({ keyId: 'key_2', accountId: 'acc_2' })
      expect(await engine.admit(other, ALL)).toEqual({ kind: 'balance-unknown' })
      learn('acc_2', 10n, 7)
      learn('acc_2', 0n, 6)
      expect((await admit(other)).kind).toBe('admitted')
      learn('acc_2', 0n, 8)
      expect((await admit(other)).kind).toBe('credits-exhausted')
    })

    test('a question that found no balance took nothing', async () => {
      const other = caller({ keyId: 'key_2', accountId: 'acc_2' })
      expect(await engine.admit(other, ALL)).toEqual({ kind: 'balance-unknown' })
      learn('acc_2', 10n)
      expect(await admit(other)).toMatchObject({ rate: { remaining: 4 }, concurrency: { remaining: 2 } })
    })

    test.each([
      [1n, 'admitted'],
      [0n, 'credits-exhausted'],
      [-1n, 'credits-exhausted'],
    ])('of %s micro-credits: %s', async (left, kind) => {
      learn('acc_1', left, 2)
      expect((await admit()).kind).toBe(kind)
    })

    test('do not matter to what only counts in the rate', async () => {
      learn('acc_1', -5n, 2)
      expect(await admit(caller(), 'rate')).toMatchObject({
        kind: 'admitted',
        slot: null,
        concurrency: null,
        rate: { remaining: 4 },
      })
      expect(await engine.admit(caller({ accountId: 'acc_unknown' }), 'rate')).toMatchObject({
        kind: 'admitted',
      })
    })
  })
}
