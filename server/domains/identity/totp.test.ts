import { expect, test } from 'vitest'
import { findTotpStep, newTotpSecret, otpauthUrl, totpCode } from './totp.ts'

/** `12345678901234567890`, the secret of RFC 6238, appendix B, in base 32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

// The RFC shows eight digits; ours are the last six of them.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %d the code is %s', (seconds, code) => {
  expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code)
})

test('a code is good in its step, the one before and the one after', () => {
  const step = 1000
  const code = totpCode(SECRET, step)
  const found = [-2, -1, 0, 1, 2].map(off => findTotpStep(SECRET, code, (step + off) * 30_000))
  expect(found).toEqual([null, step, step, step, null])
})

test('what is no code of six digits is none', () => {
  for (const code of ['', '28708', '2870820', '28708a', ' 287082', '٢٨٧٠٨٢']) {
    expect(findTotpStep(SECRET, code, 59_000)).toBeNull()
  }
})

test('a secret has 160 bits of its own, which apps read from an address', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(secret)
  expect(otpauthUrl(secret, { issuer: 'Gold & weight', email: 'a+b@example.org' })).toBe(
    `otpauth://totp/Gold%20%26%20weight:a%2Bb%40example.org?secret=${secret}&issuer=Gold%20%26%20weight`,
  )
})
