import { expect, test } from 'vitest'
import { coversTag } from './if-none-match.ts'

test.each([
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", W/"y" ,"abc"', true],
  ['"a,b","abc"', true],
  ['*', true],
  [' * ', true],
  ['"x"', false],
  ['abc', false],
  ['"abcd"', false],
  ['', false],
  [undefined, false],
])('If-None-Match: %s covers "abc": %s', (header, covered) => {
  expect(coversTag(header, '"abc"')).toBe(covered)
})
