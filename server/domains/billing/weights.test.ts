import { describe, expect, test } from 'vitest'
import { pinWeights, weigh } from './weights.ts'

function charge(
  usage: readonly [number, number, number, number],
  weights: readonly [number, number, number, number],
) {
  const pinned = pinWeights({
    input: weights[0],
    cache_read: weights[1],
    cache_write: weights[2],
    output: weights[3],
  })
  if (!pinned) throw new Error('weights refused')
  const [input, cache_read, cache_write, output] = usage
  return weigh({ input, cache_read, cache_write, output }, pinned)
}

describe('a charge is the exact sum over the buckets, rounded up once', () => {
  test.each([
    ['whole weights', [1_000_000, 0, 0, 0], [3, 0, 0, 0], 3_000_000n],
    ['one token of a small weight costs a millionth at least', [1, 0, 0, 0], [0.075, 0, 0, 0], 1n],
    [
      'fractions of several buckets are added before they are rounded',
      [1, 1, 1, 1],
      [0.25, 0.25, 0.25, 0.25],
      1n,
    ],
    ['a hair above a millionth is rounded up', [1, 1, 0, 0], [1, 1e-12, 0, 0], 2n],
    ['decimals that floats can not hold', [3, 0, 0, 7], [0.1, 0, 0, 0.2], 2n],
    ['no tokens cost nothing', [0, 0, 0, 0], [5, 5, 5, 5], 0n],
    ['an explicit 0 is free', [9, 9, 9, 9], [0, 0, 0, 0], 0n],
    [
      'large requests stay exact',
      [9_007_199_254_740_991, 0, 0, 1],
      [1.000001, 0, 0, 1],
      9_007_208_261_940_246n + 1n,
    ],
  ] as const)('%s', (_name, usage, weights, expected) => {
    expect(charge(usage, weights)).toBe(expected)
  })
})

test('weights that can not be charged exactly are refused', () => {
  const base = { input: 1, cache_read: 1, cache_write: 1, output: 1 }
  expect(pinWeights({ ...base, output: -1 })).toBeNull()
  expect(pinWeights({ ...base, output: 1e-13 })).toBeNull()
  expect(pinWeights({ ...base, output: Number.NaN })).toBeNull()
})
