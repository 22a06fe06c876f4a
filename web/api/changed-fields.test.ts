import { expect, test } from 'vitest'
import { changedFields, changedMembers } from './changed-fields.ts'

const SHOWN = { name: 'A', limits: { requests: 5, window_seconds: 60 }, models: ['a'], cap: null }

test('of what was written, only what says something else than was shown is sent', () => {
  expect(changedFields({ ...SHOWN }, SHOWN)).toEqual({})
  expect(changedFields({ ...SHOWN, models: ['a', 'b'] }, SHOWN)).toEqual({ models: ['a', 'b'] })
})

test('of a group that may be given in part, too', () => {
  expect(changedMembers({ ...SHOWN }, SHOWN)).toEqual({})
  const written = {
    ...SHOWN,
    limits: { requests: 6, window_seconds: 60 },
    models: ['b'],
    cap: { credits: 1 },
  }
  expect(changedMembers(written, SHOWN)).toEqual({
    limits: { requests: 6 },
    models: ['b'],
    cap: { credits: 1 },
  })
})
