import { beforeEach, describe, expect, test } from 'vitest'
import { micros } from '#lib/money.ts'
import type { Balance } from '#storage/storage.ts'
import { BalancePictures } from './balance-pictures.ts'

let nowMs: number
let readings: { accountId: string; end: () => void; fail: () => void }[]
let pictures: BalancePictures
const clock = { monotonicMs: () => nowMs }
const readAgain = (accountId: string) =>
  new Promise<void>((end, reject) => {
    readings.push({ accountId, end, fail: () => reject(new Error('The store is away')) })
  })

beforeEach(() => {
  nowMs = 1_000_000
  readings = []
  pictures = new BalancePictures({ clock, reading: { readAgain } })
})

const balance = (left: bigint, sequence = 1): Balance => ({
  allocatedMicros: micros(left),
  usedMicros: micros(0n),
  lastAllocationMicros: micros(left),
  sequence,
})

describe('where other nodes change balances too', () => {
  test('a picture serves for four seconds, and is read again in the background before that', () => {
    pictures.learn('acc_1', balance(5n))
    nowMs += 2_400
    expect(pictures.hasCredits('acc_1')).toBe(true)
    expect(readings).toEqual([])
    nowMs += 200
    expect(pictures.hasCredits('acc_1')).toBe(true)
    expect(pictures.hasCredits('acc_1')).toBe(true)
    expect(readings).toHaveLength(1)
    nowMs += 1_400
    expect(pictures.hasCredits('acc_1')).toBeNull()
  })

  test('a reading that failed is tried again', async () => {
    pictures.learn('acc_1', balance(5n))
    nowMs += 3_000
    pictures.hasCredits('acc_1')
    readings[0]?.fail()
    await new Promise(setImmediate)
    expect(pictures.hasCredits('acc_1')).toBe(true)
    expect(readings).toHaveLength(2)
  })

  test('an account is refused by a picture no older than a second', () => {
    pictures.learn('acc_1', balance(0n))
    nowMs += 900
    expect(pictures.hasCredits('acc_1')).toBe(false)
    nowMs += 100
    expect(pictures.hasCredits('acc_1')).toBeNull()
    pictures.learn('acc_1', balance(0n))
    expect(pictures.hasCredits('acc_1')).toBe(false)
  })

  test('an older balance neither replaces a newer one nor makes it younger', () => {
    pictures.learn('acc_1', balance(0n, 7))
    nowMs += 900
    pictures.learn('acc_1', balance(5n, 6))
    expect(pictures.hasCredits('acc_1')).toBe(false)
    nowMs += 100
    expect(pictures.hasCredits('acc_1')).toBeNull()
    expect(pictures.hasCreditsBy('acc_1', balance(5n, 6))).toBe(false)
    expect(pictures.hasCreditsBy('acc_1', balance(5n, 8))).toBe(true)
  })

  test('what nobody has asked for in an hour is let go', () => {
    pictures.learn('acc_1', balance(5n))
    nowMs += 3_600_000
    pictures.forgetUnused()
    expect(pictures.wasLearntWithin('acc_1', 10_000_000)).toBe(false)
  })
})

test('where nobody else does, a picture is right until there is a newer one', () => {
  const alone = new BalancePictures({ clock, reading: null })
  alone.learn('acc_1', balance(0n))
  alone.learn('acc_2', balance(1n))
  nowMs += 100_000_000
  alone.forgetUnused()
  expect(alone.hasCredits('acc_1')).toBe(false)
  expect(alone.hasCredits('acc_2')).toBe(true)
})
