import { expect, test } from 'vitest'
import { formatCount, formatDuration, formatShare, formatShortCount, formatWeight } from './numbers.ts'

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

test.each([
  [null, '–'],
  [0, '0 ms'],
  [840, '840 ms'],
  [1_240, '1.24 s'],
  [62_340, '62.3 s'],
  [1_234_000, '1,234 s'],
])('%d milliseconds are shown to three figures', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('a share is in percent, and there is none of nothing', () => {
  expect([formatShare(1, 8), formatShare(1, 3), formatShare(0, 3), formatShare(0, 0)]).toEqual([
    '12.5%',
    '33.33%',
    '0%',
    '–',
  ])
})
