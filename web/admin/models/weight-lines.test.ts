import { expect, test } from 'vitest'
import { changedWeights } from './weight-lines.ts'

const WEIGHTS = { input: 2, cache_read: 0.2, cache_write: 2.5, output: 8 }
const tierOf = (input: number) => ({ above_input_tokens: 200_000, weights: { ...WEIGHTS, input } })

test('every weight that changes is named once, those of tiers and units too', () => {
  const before = { weights: { ...WEIGHTS, tiers: [tierOf(4)] }, unit_weights: { image: 1, search: 1 } }
  const after = {
    weights: { ...WEIGHTS, output: 9, cache_write_1h: 4, tiers: [tierOf(5)] },
    unit_weights: { image: 2, search: 1 },
  }
  expect(changedWeights(before, after)).toEqual([
    { label: 'Output', before: 8, after: 9 },
    { label: 'Image', before: 1, after: 2 },
    { label: 'Input above 200,000 input tokens', before: 4, after: 5 },
    { label: 'Cache write, kept for an hour', before: undefined, after: 4 },
  ])
})

test('of a model that had no weights all are new, and of one that loses a tier its own go', () => {
  const weighed = { weights: { ...WEIGHTS, tiers: [tierOf(4)] }, unit_weights: null }
  expect(changedWeights({ weights: null, unit_weights: null }, weighed)).toHaveLength(8)
  const gone = changedWeights(weighed, { weights: WEIGHTS, unit_weights: null })
  expect(gone.map(({ after }) => after)).toEqual([undefined, undefined, undefined, undefined])
})
