import { expect, test } from 'vitest'
import { suggestWeights } from './suggest-weights.ts'

const LIST = { input: 2.5, cache_read: 0.25, cache_write: 3.125, output: 10 }

test('weights are the list price, the margin on top, at the value of a credit: exact', () => {
  const suggested = suggestWeights(LIST, { credit_usd: 0.01, margin_percent: 30 })
  expect(suggested).toMatchObject({
    ok: true,
    value: { weights: { input: 325, cache_read: 32.5, cache_write: 406.25, output: 1300 } },
  })
})

test('a weight is rounded up once, and its line says so', () => {
  const suggested = suggestWeights(LIST, { credit_usd: 0.7, margin_percent: 0 })
  if (!suggested.ok) throw new Error(suggested.refusal)
  const [input] = suggested.value.lines
  expect(input?.weight).toBe('3.571429')
  expect(input?.calculation).toBe('2.5 USD × 1 ÷ 0.7 USD a credit = 3.571429, rounded up to six decimals')
})

test('a sum that floating point gets wrong is right', () => {
  const suggested = suggestWeights({ ...LIST, input: 0.1 }, { credit_usd: 0.000001, margin_percent: 10.1 })
  expect(suggested).toMatchObject({ ok: true, value: { weights: { input: 110100 } } })
})

test('tiers and longer lives in a cache are weighed alike', () => {
  const tiers = [{ above_input_tokens: 200_000, weights: { ...LIST, input: 5, cache_write_1h: 5 } }]
  const suggested = suggestWeights(
    { ...LIST, cache_write_1h: 5, tiers },
    { credit_usd: 0.5, margin_percent: -50 },
  )
  expect(suggested).toMatchObject({
    ok: true,
    value: {
      weights: {
        input: 2.5,
        cache_write_1h: 5,
        tiers: [{ above_input_tokens: 200_000, weights: { input: 5, output: 10 } }],
      },
    },
  })
  expect(
    suggested.ok && suggested.value.lines.filter(line => line.above_input_tokens === 200_000),
  ).toHaveLength(5)
})

test('what can not be reckoned with is refused by name', () => {
  expect(suggestWeights(LIST, { credit_usd: 1e-13, margin_percent: 0 })).toMatchObject({
    refusal: expect.stringContaining('credit_usd'),
  })
  expect(suggestWeights(LIST, { credit_usd: 1, margin_percent: 0.0000001 })).toMatchObject({
    refusal: expect.stringContaining('margin_percent'),
  })
  expect(suggestWeights(LIST, { credit_usd: 1e-9, margin_percent: 0 })).toMatchObject({
    refusal: expect.stringContaining('weights.input'),
  })
})
