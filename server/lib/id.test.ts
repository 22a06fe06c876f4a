import { expect, test } from 'vitest'
import { findTimeOfId, firstIdAt, newId } from './id.ts'

test('identifiers have their prefix and 26 characters, and never repeat', () => {
  const ids = Array.from({ length: 20_000 }, () => newId('req'))
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids.slice(0, 100)) expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/)
})

test('identifiers sort by the time they were made at', () => {
  expect(newId('led', 1_000) < newId('led', 1_001)).toBe(true)
  expect(newId('led', 1_700_000_000_000) < newId('led', 1_800_000_000_000)).toBe(true)
})

test('an identifier tells when it was made, and moments tell where their identifiers begin', () => {
  const id = newId('req', 1_795_000_000_123)
  expect(findTimeOfId(id)).toBe(1_795_000_000_123)
  expect(firstIdAt('req', 1_795_000_000_123) < id).toBe(true)
  expect(firstIdAt('req', 1_795_000_000_124) > id).toBe(true)
  expect(findTimeOfId('none')).toBeNull()
})
