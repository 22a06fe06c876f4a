import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RecentTokens } from './recent-tokens.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a token that came a moment ago has its hash; another has none', () => {
  const recent = new RecentTokens()
  recent.keep('Bearer gw_a', 'hash a')
  expect(recent.findHash('Bearer gw_a')).toBe('hash a')
  expect(recent.findHash('Bearer gw_b')).toBe(undefined)
})

test('no token is kept for longer than four seconds, however busy it is', () => {
  const recent = new RecentTokens()
  recent.keep('Bearer gw_a', 'hash a')
  for (let at = 0; at < 3_900; at += 100) {
    vi.advanceTimersByTime(100)
    recent.keep('Bearer gw_b', 'hash b')
    expect(recent.findHash('Bearer gw_a')).toBe('hash a')
  }
  vi.advanceTimersByTime(100)
  expect(recent.findHash('Bearer gw_a')).toBe(undefined)
  expect(recent.findHash('Bearer gw_b')).toBe(undefined)
  expect(vi.getTimerCount()).toBe(0)
})

test('many tokens at once do not take up more and more memory', () => {
  const recent = new RecentTokens()
  for (let number = 0; number < 25_000; number++) recent.keep(`Bearer gw_${number}`, 'hash')
  const kept = Array.from({ length: 25_000 }, (_, number) => recent.findHash(`Bearer gw_${number}`))
  expect(kept.filter(hash => hash !== undefined).length).toBeLessThanOrEqual(10_000)
  expect(kept.at(-1)).toBe('hash')
})
