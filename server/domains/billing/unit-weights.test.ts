import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unitName } from '#contract/usage.ts'
import {
  findUnitWeightProblem,
  MOST_UNITS,
  pinUnitWeights,
  unitChargeFromJson,
  unitChargeToJson,
  unitWeightsFromJson,
  unitWeightsToJson,
} from './unit-weights.ts'
import { pinWeights, weigh } from './weights.ts'

const ZERO = { input: 0, cache_read: 0, cache_write: 0, output: 0 }
const FREE = pinWeights(ZERO)
if (!FREE) throw new Error('Zero is a weight')
const MAX_BALANCE = 2n ** 63n - 1n

function chargeOf(name: 'image' | 'second' | 'search' | 'character', count: number, weight: number): bigint {
  const pinned = pinUnitWeights({ [name]: weight }).get(name)
  if (pinned === undefined || !FREE) throw new Error('It has a weight')
  return weigh(ZERO, FREE, { name, count, weight: pinned })
}

describe('charges', () => {
  test.each([
    ['image', 2, 0.04, 80_000n],
    ['second', 7, 0.0001, 700n],
    ['search', 1, 0.002, 2_000n],
    ['character', 1_000_000, 15, 15_000_000n],
    ['character', 11, 15, 165n],
    ['character', 1, 0.1, 1n],
    ['image', 3, 0.0000003, 1n],
    ['image', 1, 0, 0n],
  ] as const)('%s: %d at %d', (name, count, weight, expected) => {
    expect(chargeOf(name, count, weight)).toBe(expected)
  })

  test('tokens and units are summed before the one rounding', () => {
    const weights = pinWeights({ ...ZERO, input: 0.5 })
    const weight = pinUnitWeights({ image: 0.0000005 }).get('image')
    if (!weights || weight === undefined) throw new Error('They are weights')
    expect(weigh({ ...ZERO, input: 1 }, weights, { name: 'image', count: 1, weight })).toBe(1n)
  })

  test('the dearest request fits into a balance', () => {
    expect(findUnitWeightProblem({ image: 100_000 })).toBeNull()
    expect(chargeOf('image', MOST_UNITS, 100_000)).toBeLessThan(MAX_BALANCE)
  })
})

describe('what is stored', () => {
  const weight = fc.oneof(
    fc.integer({ min: 0, max: 100_000 }),
    fc.integer({ min: 0, max: 10 ** 12 }).map(units => units / 10 ** 12),
  )

  test('weights come back as the numbers that they were given as', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...unitName.options), weight), given => {
        fc.pre(findUnitWeightProblem(given) === null)
        const expected = Object.keys(given).length === 0 ? null : { ...given }
        expect(unitWeightsFromJson(unitWeightsToJson(given))).toEqual(expected)
      }),
    )
  })

  test('the entry of a request comes back to the last digit', () => {
    const entry = { name: 'second' as const, count: 123, weight: 1n }
    expect(unitChargeFromJson(unitChargeToJson(entry))).toEqual(entry)
  })
})

test.each([
  [{ image: -1 }, /unit_weights.image/],
  [{ second: 1e-13 }, /decimals/],
  [{ search: 100_001 }, /at most/],
])('%o is refused', (weights, problem) => {
  expect(findUnitWeightProblem(weights)).toMatch(problem)
})
