import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pinWeights, weigh, weighedTokens } from './weights.ts'
import { appliedWeights, findWeightProblem, weightsFromJson, weightsToJson } from './weights-text.ts'

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

const FOUR = { input: 2, cache_read: 0.2, cache_write: 2.5, output: 10 }

function pinned(weights: Parameters<typeof pinWeights>[0]) {
  const prepared = pinWeights(weights)
  if (!prepared) throw new Error('weights refused')
  return prepared
}

describe('cache writes that live for an hour', () => {
  const usage = { input: 10, cache_read: 0, cache_write: 300, cache_write_1h: 200, output: 1 }

  test('weigh what the model says of them, and the others what they always do', () => {
    expect(weigh(usage, pinned({ ...FOUR, cache_write_1h: 4 }))).toBe(20n + 250n + 800n + 10n)
  })

  test('weigh as all others where the model says nothing of them', () => {
    expect(weigh(usage, pinned(FOUR))).toBe(20n + 750n + 10n)
  })

  test('may weigh nothing', () => {
    expect(weigh(usage, pinned({ ...FOUR, cache_write_1h: 0 }))).toBe(20n + 250n + 10n)
  })
})

describe('tiers', () => {
  const TIERED = {
    ...FOUR,
    cache_write_1h: 4,
    tiers: [
      {
        above_input_tokens: 100,
        weights: { input: 4, cache_read: 0.4, cache_write: 5, cache_write_1h: 8, output: 15 },
      },
      {
        above_input_tokens: 1000,
        weights: { input: 6, cache_read: 0.6, cache_write: 7, cache_write_1h: 9, output: 20 },
      },
    ],
  }
  const of = (input: number, cache_read = 0, cache_write = 0, cache_write_1h = 0) =>
    weigh(
      { input, cache_read, cache_write, output: 1, ...(cache_write_1h ? { cache_write_1h } : {}) },
      pinned(TIERED),
    )

  test.each([
    ['at the bound is not above it', of(100), 210n],
    ['one token above the bound, all of the request weighs more', of(101), 404n + 15n],
    ['caches count towards the bound', of(1, 100), 4n + 40n + 15n],
    ['the highest bound below it counts', of(1001), 6006n + 20n],
    ['longer lives weigh what the tier says', of(0, 0, 1500, 1000), 3500n + 9000n + 20n],
  ])('%s', (_name, charged, expected) => {
    expect(charged).toBe(expected)
  })

  test('come back from the store as they were given, from the highest bound down', () => {
    const json = weightsToJson(TIERED)
    expect(weightsFromJson(json)).toEqual({ ...TIERED, tiers: TIERED.tiers.toReversed() })
    expect(
      weigh({ input: 1001, cache_read: 0, cache_write: 0, output: 1 }, pinned(weightsFromJson(json))),
    ).toBe(6026n)
  })

  test('a record shows the weights that were applied, and the bound', () => {
    const json = weightsToJson(TIERED)
    const usage = { input: 101, cache_read: 0, cache_write: 0, output: 1 }
    expect(appliedWeights(json, usage)).toEqual({ ...TIERED.tiers[0]?.weights, above_input_tokens: 100 })
    expect(appliedWeights(json, { ...usage, input: 100 })).toEqual({ ...FOUR, cache_write_1h: 4 })
    expect(appliedWeights(weightsToJson(FOUR), usage)).toEqual(FOUR)
  })

  test.each([
    ['weights.cache_write_1h', { ...FOUR, cache_write_1h: -1 }],
    [
      'weights.tiers.0.weights.output',
      { ...FOUR, tiers: [{ above_input_tokens: 1, weights: { ...FOUR, output: 1e-13 } }] },
    ],
    [
      'weights.tiers.1.above_input_tokens',
      {
        ...FOUR,
        tiers: [
          { above_input_tokens: 5, weights: FOUR },
          { above_input_tokens: 5, weights: FOUR },
        ],
      },
    ],
    [
      'weights.tiers.0.weights.cache_write_1h',
      { ...FOUR, cache_write_1h: 4, tiers: [{ above_input_tokens: 5, weights: FOUR }] },
    ],
  ])('%s is named where it is wrong', (field, weights) => {
    expect(findWeightProblem(weights)).toContain(`${field}: `)
  })
})

test('however tokens and tiers fall, a receipt’s lines are all of the tokens, and their sum is the charge', () => {
  const count = fc.integer({ min: 0, max: 3_000 })
  const weight = fc.integer({ min: 0, max: 10 ** 9 }).map(units => units / 10 ** 6)
  const four = fc.record({
    input: weight,
    cache_read: weight,
    cache_write: weight,
    cache_write_1h: weight,
    output: weight,
  })
  const tiers = fc.uniqueArray(
    fc.record({ above_input_tokens: fc.integer({ min: 1, max: 5_000 }), weights: four }),
    {
      selector: tier => tier.above_input_tokens,
      maxLength: 3,
    },
  )
  fc.assert(
    fc.property(four, tiers, fc.tuple(count, count, count, count, count), (base, tiers, counts) => {
      const [input, cache_read, cache_write, long, output] = counts
      const usage = { input, cache_read, cache_write, output, cache_write_1h: Math.min(long, cache_write) }
      const weights = pinned({ ...base, tiers })
      const lines = weighedTokens(usage, weights)
      expect(lines.reduce((sum, line) => sum + line.count, 0)).toBe(input + cache_read + cache_write + output)
      const exact = lines.reduce((sum, line) => sum + BigInt(line.count) * line.weight, 0n)
      expect(weigh(usage, weights)).toBe((exact + 10n ** 12n - 1n) / 10n ** 12n)
    }),
  )
})
