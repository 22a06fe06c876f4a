import { expect, test } from 'vitest'
import { formatUsd } from './format-usd.ts'

test.each([
  ['0', '$0.00'],
  ['12', '$12.00'],
  ['1234.5', '$1,234.50'],
  ['1234.567', '$1,234.56'],
  ['0.01', '$0.01'],
  ['0.0000018', '$0.0000018'],
  ['0.00001234', '$0.000012'],
])('%s is shown as %s', (decimal, shown) => {
  expect(formatUsd(decimal)).toBe(shown)
})
