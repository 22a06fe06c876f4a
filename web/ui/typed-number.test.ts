import { expect, test } from 'vitest'
import { typedNumber, typedNumberIfAny } from './typed-number.ts'

test('what is typed is a number with a point or a comma, and nothing is no number', () => {
  expect([' 12 ', '0', '1.5', '1,5', '-5'].map(typedNumber)).toEqual([12, 0, 1.5, 1.5, -5])
  for (const text of ['', ' ', 'ten', '1.2.3', undefined]) expect(typedNumber(text)).toBeNaN()
})

test('a field that may be left empty says nothing then, and no other', () => {
  expect([' ', '', undefined, '1,5'].map(typedNumberIfAny)).toEqual([undefined, undefined, undefined, 1.5])
  expect(typedNumberIfAny('ten')).toBeNaN()
})
