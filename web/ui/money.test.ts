import { expect, test } from 'vitest'
import { formatMoney, minorToText, textToMinor } from './money.ts'

test.each([
  [1000, 'EUR', '€10.00', '10.00'],
  [5, 'USD', '$0.05', '0.05'],
  [123_456, 'JPY', '¥123,456', '123456'],
  [1234, 'KWD', 'KWD\u00a01.234', '1.234'],
  [0, 'EUR', '€0.00', '0.00'],
])('%d of the minor unit of %s are %s', (minor, currency, shown, typed) => {
  expect(formatMoney(minor, currency)).toBe(shown)
  expect(minorToText(minor, currency)).toBe(typed)
  expect(textToMinor(typed, currency)).toBe(minor)
})

test('an amount may be typed with a comma, with fewer decimals or none, and never with more than there are', () => {
  expect(textToMinor('10', 'EUR')).toBe(1000)
  expect(textToMinor(' 10,5 ', 'EUR')).toBe(1050)
  expect(textToMinor('0.29', 'EUR')).toBe(29)
  for (const text of ['', '-1', '1.005', '1e3', '1.2.3', 'ten']) expect(textToMinor(text, 'EUR')).toBeNull()
  expect(textToMinor('10.5', 'JPY')).toBeNull()
})

test('what might be a thousand with its comma, or a one with three decimals, is no amount', () => {
  expect(textToMinor('1,000', 'KWD')).toBeNull()
  expect(textToMinor('0,125', 'KWD')).toBe(125)
})
