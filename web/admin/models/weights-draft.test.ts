import { expect, test } from 'vitest'
import {
  readDraft,
  shownUnits,
  tierField,
  toDraft,
  unitsOf,
  type WeightsDraft,
  withTier,
} from './weights-draft.ts'

const WEIGHTS = { input: 2.5, cache_read: 0.25, cache_write: 3, output: 10 }

function errorsOf(draft: WeightsDraft, needed: Parameters<typeof readDraft>[1] = []) {
  const read = readDraft(draft, needed)
  return read.ok ? null : read.errors
}

test('weights that go into the fields come out as they were, tiers and units with them', () => {
  const tiers = [{ above_input_tokens: 200_000, weights: { ...WEIGHTS, cache_write_1h: 5 } }]
  const all = { ...WEIGHTS, input: 0.000_000_1, cache_write_1h: 4, tiers }
  expect(readDraft(toDraft(all, { image: 0.04 }))).toEqual({ ok: true, weights: all, units: { image: 0.04 } })
  expect(readDraft(toDraft(WEIGHTS))).toEqual({ ok: true, weights: WEIGHTS, units: null })
})

test('every field that holds no weight is named: none of the four may be empty', () => {
  const draft = toDraft(WEIGHTS)
  const say = (texts: object) => ({ ...draft, texts: { ...draft.texts, ...texts } })
  const no = { cache_read: '', output: '-1', cache_write_1h: 'much', input: '1e3' }
  expect(Object.keys(errorsOf(say(no)) ?? {}).sort()).toEqual(Object.keys(no).sort())
  expect(errorsOf(say({ input: '0.0000000000001' }))).toEqual({ input: 'Give at most twelve decimals.' })
  expect(errorsOf(say({ input: '1000000001' }))).toEqual({ input: 'Give at most 1,000,000,000.' })
  expect(errorsOf(say({ input: '1,000' }))).toEqual({ input: 'Write thousands without a comma.' })
  expect(readDraft(say({ input: '0,5' }))).toMatchObject({ ok: true, weights: { input: 0.5 } })
})

test('a further tier begins with the weights before it, and needs a bound of its own', () => {
  const two = withTier(withTier(toDraft({ ...WEIGHTS, cache_write_1h: 4 })))
  const [first, second] = two.tiers
  if (!first || !second) throw new Error('There are two')
  expect(second.texts).toEqual(two.texts)
  expect(Object.keys(errorsOf(two) ?? {})).toEqual([tierField(first, 'bound'), tierField(second, 'bound')])
  const alike = { ...two, tiers: two.tiers.map(tier => ({ ...tier, bound: '128000' })) }
  expect(errorsOf(alike)).toEqual({ [tierField(second, 'bound')]: 'Another tier begins there.' })
  const grouped = { ...first, bound: '200,000' }
  expect(readDraft({ ...two, tiers: [grouped] })).toMatchObject({
    ok: true,
    weights: { tiers: [{ above_input_tokens: 200_000 }] },
  })
  for (const bound of ['200.000', '200,5', '0', '2e5'])
    expect(Object.keys(errorsOf({ ...two, tiers: [{ ...first, bound }] }) ?? {})).toEqual([
      tierField(first, 'bound'),
    ])
  const bare = { ...first, bound: '5', texts: { ...first.texts, cache_write_1h: '' } }
  expect(Object.keys(errorsOf({ ...two, tiers: [bare] }) ?? {})).toEqual([tierField(bare, 'cache_write_1h')])
})

test('a model is asked for the units that its endpoints are charged by, each once', () => {
  expect(unitsOf({ endpoints: ['chat', 'images', 'image_edits', 'speech'] })).toEqual(['image', 'character'])
  expect(shownUnits({ endpoints: ['rerank'], unit_weights: { image: 1 } })).toEqual(['image', 'search'])
  expect(Object.keys(errorsOf(toDraft(WEIGHTS), ['search']) ?? {})).toEqual(['search'])
  expect(Object.keys(errorsOf(toDraft(WEIGHTS, { image: 100_001 })) ?? {})).toEqual(['image'])
})
