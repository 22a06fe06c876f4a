import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashToken, issueToken, isWellFormedToken, tokenHint } from './token.ts'

test('a new token is well formed, and no two are alike', () => {
  const tokens = Array.from({ length: 1000 }, issueToken)
  expect(new Set(tokens).size).toBe(tokens.length)
  expect(tokens.every(token => /^gw_[0-9A-Za-z]{49}$/.test(token) && isWellFormedToken(token))).toBe(true)
})

test('any single changed character is refused without a look at any store', () => {
  const token = issueToken()
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: token.length - 1 }),
      fc.constantFrom(...'0aZ_-'),
      (at, character) => {
        fc.pre(token[at] !== character)
        expect(isWellFormedToken(token.slice(0, at) + character + token.slice(at + 1))).toBe(false)
      },
    ),
  )
})

test.each(['', 'gw_', 'gw_short', `sk-${'a'.repeat(49)}`, `${issueToken()}x`, ` ${issueToken()}`])(
  '%j is no token',
  text => {
    expect(isWellFormedToken(text)).toBe(false)
  },
)

test('a hint shows the ends alone, and the hash shows nothing', () => {
  const token = issueToken()
  expect(tokenHint(token)).toBe(`${token.slice(0, 6)}…${token.slice(-3)}`)
  expect(hashToken(token)).toMatch(/^[0-9a-f]{64}$/)
})
