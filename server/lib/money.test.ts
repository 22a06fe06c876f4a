import fc from 'fast-check'
import { expect, test } from 'vitest'
import { creditsFromMicros, decimalOfScaled, micros, microsFromCredits, scaleDecimal } from './money.ts'

test('credits are read exactly as they are written', () => {
  expect(microsFromCredits(0.1)).toBe(100_000n)
  expect(microsFromCredits(-12.000001)).toBe(-12_000_001n)
  expect(microsFromCredits(1e21)).toBe(10n ** 27n)
  expect(microsFromCredits(1e-6)).toBe(1n)
})

test('more than six decimals, and what is no number, are refused rather than rounded', () => {
  expect(microsFromCredits(0.0000001)).toBeNull()
  expect(microsFromCredits(1e-7)).toBeNull()
  expect(microsFromCredits(Number.NaN)).toBeNull()
  expect(microsFromCredits(Number.POSITIVE_INFINITY)).toBeNull()
})

test('an amount that is shown reads back as the same amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), amount => {
      expect(microsFromCredits(creditsFromMicros(micros(amount)))).toBe(amount)
    }),
  )
})

test('scaling agrees with the decimal text of the number', () => {
  expect(scaleDecimal(2.5, 12)).toBe(2_500_000_000_000n)
  expect(scaleDecimal(1.5e-10, 12)).toBe(150n)
  expect(scaleDecimal(123e20, 2)).toBe(123n * 10n ** 22n)
})

test.each([
  ['0', 0n, 6],
  ['1', 1_000_000n, 6],
  ['-0.000001', -1n, 6],
  ['12345678901234567890.5', 123456789012345678905n, 1],
  ['0.000000000000000001', 1n, 18],
])('the exact decimal %s is written for its units', (text, units, places) => {
  expect(decimalOfScaled(units, places)).toBe(text)
})
