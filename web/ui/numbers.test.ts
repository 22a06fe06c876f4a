import { expect, test } from 'vitest'
import { formatCount, formatShortCount, formatWeight } from './numbers.ts'

test.each([
  [0, '0'],
  [0.075, '0.075'],
  [1_250.5, '1,250.5'],
  [0.0000001, '0.0000001'],
  [1_000_000_000, '1,000,000,000'],
])('the weight %d is shown with all of its decimals', (weight, text) => {
  expect(formatWeight(weight)).toBe(text)
})

test('counts have their thousands apart, and are short where they are glanced at', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567')
  expect(formatShortCount(128_000)).toBe('128K')
})
