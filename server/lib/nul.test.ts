import { expect, test } from 'vitest'
import { findNul, storableText } from './nul.ts'

test('a text is stored with another character in its place', () => {
  expect(storableText('a\0b\0')).toBe('a\u{fffd}b\u{fffd}')
  expect(storableText('plain')).toBe('plain')
})

test.each([
  ['\0', ''],
  [{ owner: { name: 'a\0' } }, 'owner.name'],
  [{ list: ['a', { b: '\0' }] }, 'list.1.b'],
  [{ 'a\0': 1 }, 'a\u{fffd}'],
  [{ a: 'b', c: [1, null, true, 'd'] }, null],
  [Buffer.from('\0'), null],
  [undefined, null],
])('%j is told to hold it at %j', (value, place) => {
  expect(findNul(value)).toBe(place)
})
