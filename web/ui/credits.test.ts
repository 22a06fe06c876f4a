import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCredits, formatMicros, toMicros } from './credits.ts'

test.each([
  [0, '0.00'],
  [1234.5, '1,234.50'],
  [0.000031, '0.000031'],
  [-12, '−12.00'],
  [0.1 + 0.2, '0.30'],
  [999_999_999.999999, '999,999,999.999999'],
])('%d credits are shown as %s', (credits, text) => {
  expect(formatCredits(credits)).toBe(text)
})

test('a change of a balance carries its sign', () => {
  expect(formatMicros(1_500_000n, { signed: true })).toBe('+1.50')
  expect(formatMicros(-1_500_000n, { signed: true })).toBe('−1.50')
  expect(formatMicros(0n, { signed: true })).toBe('0.00')
})

test('every amount up to a billion credits survives its way through a reply', () => {
  const micros = fc.bigInt({ min: -1_000_000_000_000_000n, max: 1_000_000_000_000_000n })
  fc.assert(fc.property(micros, amount => toMicros(Number(amount) / 1_000_000) === amount))
})
