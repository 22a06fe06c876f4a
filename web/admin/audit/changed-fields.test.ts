import { expect, test } from 'vitest'
import { changedFields } from './changed-fields.ts'

test('what was changed is told by its path, and nothing else is', () => {
  const before = { name: 'a', weights: { input: 1, output: 2 }, routes: [1] }
  const after = { name: 'a', weights: { input: 1, output: 3 }, routes: [1, 2], extra: true }
  expect(changedFields(before, after)).toEqual([
    { field: 'weights.output', before: '2', after: '3' },
    { field: 'routes', before: '[1]', after: '[1,2]' },
    { field: 'extra', before: '–', after: 'true' },
  ])
})

test('what was made or taken away is told whole', () => {
  expect(changedFields(null, { name: 'a', note: null })).toEqual([{ field: 'name', before: '–', after: 'a' }])
  expect(changedFields({ name: 'a' }, null)).toEqual([{ field: 'name', before: 'a', after: '–' }])
  expect(changedFields(null, null)).toEqual([])
})
