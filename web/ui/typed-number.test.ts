import { expect, test } from 'vitest'
import { ifTyped, typedCount, typedNumber } from './typed-number.ts'

test('what is typed is a number with a point or a comma, and nothing is no number', () => {
  expect([' 12 ', '0', '1.5', '1,5', '-5'].map(typedNumber)).toEqual([12, 0, 1.5, 1.5, -5])
  for (const text of ['', ' ', 'ten', '1.2.3', undefined]) expect(typedNumber(text)).toBeNaN()
})

test('a field that may be left empty says nothing then, and no other', () => {
  const read = (text: unknown) => ifTyped(text, typedNumber)
  expect([' ', '', undefined, '1,5'].map(read)).toEqual([undefined, undefined, undefined, 1.5])
  expect(read('ten')).toBeNaN()
})

test('what may be a thousand or a one is no number: pages write the thousand so', () => {
  for (const text of ['1,000', '-25,000', ' 999,999 ']) expect(typedNumber(text)).toBeNaN()
  expect(['0,125', '1.000', '1000,5', '1,0000'].map(typedNumber)).toEqual([0.125, 1, 1000.5, 1])
})

test('a count may have its thousands apart, and nothing else within', () => {
  expect(['1000', '1,000', '200 000', ' 1,000,000 '].map(typedCount)).toEqual([
    1000, 1000, 200_000, 1_000_000,
  ])
  for (const text of ['', '1.000', '1,00', '12,5', '1e3', '-1', undefined]) expect(typedCount(text)).toBeNaN()
})
