import { expect, test } from 'vitest'
import { readDraft, toDraft, unitsOf } from './weights-draft.ts'

const WEIGHTS = { input: 2.5, cache_read: 0.25, cache_write: 3, output: 10 }

test('weights that go into the fields come out as they were, tiers and units with them', () => {
  const tiers = [{ above_input_tokens: 200_000, weights: WEIGHTS }]
  const all = { ...WEIGHTS, cache_write_1h: 4, tiers }
  expect(readDraft(toDraft(all, { image: 0.04 }))).toEqual({ ok: true, weights: all, units: { image: 0.04 } })
  expect(readDraft(toDraft(WEIGHTS))).toEqual({ ok: true, weights: WEIGHTS, units: null })
})

test('the first field that holds no weight is named: none of the four may be empty', () => {
  const draft = toDraft(WEIGHTS)
  const say = (texts: object) => readDraft({ ...draft, texts: { ...draft.texts, ...texts } })
  expect(say({ cache_read: '' })).toEqual({ ok: false, field: 'cache_read' })
  expect(say({ output: '-1' })).toEqual({ ok: false, field: 'output' })
  expect(say({ cache_write_1h: 'much' })).toEqual({ ok: false, field: 'cache_write_1h' })
  expect(say({ input: '0,5' })).toMatchObject({ ok: true, weights: { input: 0.5 } })
})

test('a model is asked for the units that its endpoints are charged by, each once', () => {
  expect(unitsOf({ endpoints: ['chat', 'images', 'image_edits', 'speech'] })).toEqual(['image', 'character'])
})
