import { beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '#domains/keys/caller.ts'
import { micros } from '#lib/money.ts'
import { createKeySpending, type KeySpending } from './key-spending.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const DAY = 86_400_000

let nowMs: number
let stored: bigint
let readings: number
let announced: string[]
/** What happens while the store is read. */
let whileReading: () => void

beforeEach(() => {
  nowMs = NOON
  stored = 0n
  readings = 0
  announced = []
  whileReading = () => {}
})

function start(isShared = false): KeySpending {
  return createKeySpending({
    clock: { now: () => nowMs, monotonicMs: () => nowMs },
    isShared,
    read: async () => {
      readings++
      const spent = stored
      await Promise.resolve()
      whileReading()
      return micros(spent)
    },
    announce: keyId => announced.push(keyId),
  })
}

function caller(cap: bigint | null, period: 'day' | 'month' = 'day'): Caller {
  return {
    keyId: 'key_1',
    userId: 'usr_1',
    accountId: 'acc_1',
    limits: { requests: 5, windowSeconds: 60, concurrency: 3 },
    models: null,
    spendingCap: cap === null ? null : { micros: micros(cap), period },
    expiresAt: null,
  }
}

/** A charge of this node, which is in the store by then. */
function charge(spending: KeySpending, amount: bigint, arrivedAt = nowMs): void {
  stored += amount
  spending.settled({ accountId: 'acc_1', keyId: 'key_1', micros: micros(amount), arrivedAt })
}

describe('one node', () => {
  test('a key without a cap is never looked up', async () => {
    expect(await start().findReachedCap(caller(null))).toBeNull()
    expect(readings).toBe(0)
  })

  test('the store is read once; from then on charges tell', async () => {
    stored = 60n
    const spending = start()
    expect(await spending.findReachedCap(caller(100n))).toBeNull()
    charge(spending, 39n)
    expect(spending.findReachedCap(caller(100n))).toBeNull()
    charge(spending, 1n)
    expect(spending.findReachedCap(caller(100n))).toEqual({ period: 'day', secondsLeft: DAY / 2000 })
    // A cap that is raised counts at once.
    expect(spending.findReachedCap(caller(101n))).toBeNull()
    expect(readings).toBe(1)
  })

  test('a new day begins with nothing spent', async () => {
    stored = 100n
    const spending = start()
    expect(await spending.findReachedCap(caller(100n))).not.toBeNull()
    nowMs += DAY
    stored = 0n
    expect(await spending.findReachedCap(caller(100n))).toBeNull()
  })

  test('a request counts for the day on which it came in', async () => {
    const spending = start()
    await spending.findReachedCap(caller(10n))
    charge(spending, 10n, NOON - DAY)
    expect(spending.findReachedCap(caller(10n))).toBeNull()
  })

  test('a month is a calendar month', async () => {
    stored = 10n
    const spending = start()
    expect(await spending.findReachedCap(caller(10n, 'month'))).toEqual({
      period: 'month',
      secondsLeft: (Date.UTC(2026, 11) - NOON) / 1000,
    })
  })

  test('what is charged while the store is read is counted once', async () => {
    const spending = start()
    whileReading = () => {
      whileReading = () => {}
      charge(spending, 40n)
    }
    expect(await spending.findReachedCap(caller(41n))).toBeNull()
    expect(readings).toBe(2)
    charge(spending, 1n)
    expect(spending.findReachedCap(caller(41n))).not.toBeNull()
  })

  test('what was read already when its commit is told counts twice for a minute at most', async () => {
    const spending = start()
    stored = 6n
    await spending.findReachedCap(caller(10n))
    spending.settled({ accountId: 'acc_1', keyId: 'key_1', micros: micros(6n), arrivedAt: nowMs })
    expect(spending.findReachedCap(caller(10n))).not.toBeNull()
    nowMs += 60_000
    // This one is still refused; it has the store read again.
    expect(spending.findReachedCap(caller(10n))).not.toBeNull()
    await new Promise(resolve => setImmediate(resolve))
    expect(spending.findReachedCap(caller(10n))).toBeNull()
  })

  test('a key that is charged all the time is never waited for once it is known', async () => {
    const spending = start()
    await spending.findReachedCap(caller(10n))
    whileReading = () => charge(spending, 1n)
    nowMs += 60_000
    expect(spending.findReachedCap(caller(10n))).toBeNull()
    await new Promise(resolve => setImmediate(resolve))
    expect(readings).toBe(6)
    expect(spending.findReachedCap(caller(6n))).toBeNull()
    expect(spending.findReachedCap(caller(5n))).not.toBeNull()
  })

  test('many at once share one reading', async () => {
    const spending = start()
    await Promise.all(Array.from({ length: 10 }, () => spending.findReachedCap(caller(10n))))
    expect(readings).toBe(1)
  })
})

describe('several nodes', () => {
  test('what another node says it charged is read before the next request is let in', async () => {
    const spending = start(true)
    expect(await spending.findReachedCap(caller(10n))).toBeNull()
    stored = 10n
    spending.doubt('key_1')
    expect(await spending.findReachedCap(caller(10n))).not.toBeNull()
  })

  test('a message that is lost costs four seconds at most', async () => {
    const spending = start(true)
    await spending.findReachedCap(caller(10n))
    stored = 10n
    nowMs += 3_999
    expect(spending.findReachedCap(caller(10n))).toBeNull()
    await Promise.resolve()
    nowMs += 4_000
    expect(await spending.findReachedCap(caller(10n))).not.toBeNull()
  })

  test('a doubt that comes while the store is read lasts', async () => {
    const spending = start(true)
    whileReading = () => {
      whileReading = () => {}
      stored = 10n
      spending.doubt('all')
    }
    expect(await spending.findReachedCap(caller(10n))).toBeNull()
    expect(await spending.findReachedCap(caller(10n))).not.toBeNull()
  })

  test('others are told of charges of keys that have a cap, and of no others', async () => {
    const spending = start(true)
    charge(spending, 1n)
    expect(announced).toEqual([])
    await spending.findReachedCap(caller(10n))
    charge(spending, 1n)
    expect(announced).toEqual(['key_1'])
  })
})

test.each([true, false])(
  'a store that does not answer is a fault, and the next request asks again',
  async isShared => {
    const spending = createKeySpending({
      clock: { now: () => nowMs, monotonicMs: () => nowMs },
      isShared,
      read: async () => {
        if (readings++ === 0) throw new Error('away')
        return micros(10n)
      },
      announce: () => {},
    })
    await expect(async () => spending.findReachedCap(caller(10n))).rejects.toThrow('away')
    expect(await spending.findReachedCap(caller(10n))).not.toBeNull()
  },
)
