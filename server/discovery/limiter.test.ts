import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryLimiter } from './limiter.ts'

function setUp(options: { maxBuckets?: number } = {}) {
  let nowMs = 12_345.6
  const limiter = createMemoryLimiter({ clock: { monotonicMs: () => nowMs }, ...options })
  return {
    limiter,
    advance: (ms: number) => {
      nowMs += ms
    },
  }
}

describe('the discovery limiter', () => {
  test('lets a burst of 60 pass and refuses the next', () => {
    const { limiter } = setUp()
    for (let call = 0; call < 60; call++) expect(limiter.take('a').allowed).toBe(true)
    expect(limiter.take('a')).toEqual({ allowed: false, retryAfterSeconds: 1 })
    expect(limiter.take('b').allowed).toBe(true)
  })

  test('an emptied bucket gives one call a second, and is full again after a minute', () => {
    const { limiter, advance } = setUp()
    for (let call = 0; call < 60; call++) limiter.take('a')
    for (let second = 0; second < 5; second++) {
      advance(1000)
      expect(limiter.take('a').allowed).toBe(true)
      expect(limiter.take('a').allowed).toBe(false)
    }
    advance(60_000)
    for (let call = 0; call < 60; call++) expect(limiter.take('a').allowed).toBe(true)
    expect(limiter.take('a').allowed).toBe(false)
  })

  test('agrees with a plain bucket of tokens, whatever the times of the calls', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 400 }), gaps => {
        let nowMs = 0
        const limiter = createMemoryLimiter({ clock: { monotonicMs: () => nowMs } })
        // The model counts thousandths of a call, so that it has no fractions either.
        let thousandths = 60_000
        for (const gap of gaps.map(gap => (gap % 3 === 0 ? gap : 0))) {
          nowMs += gap
          thousandths = Math.min(60_000, thousandths + gap)
          const decision = limiter.take('a')
          expect(decision.allowed).toBe(thousandths >= 1000)
          if (decision.allowed) thousandths -= 1000
          else expect(decision.retryAfterSeconds).toBe(Math.max(1, Math.ceil((1000 - thousandths) / 1000)))
        }
      }),
    )
  })

  test('a caller who waits as long as it was told is let in', () => {
    const { limiter, advance } = setUp()
    for (let call = 0; call < 60; call++) limiter.take('a')
    advance(400)
    const decision = limiter.take('a')
    if (decision.allowed) throw new Error('the bucket should be empty')
    advance(decision.retryAfterSeconds * 1000)
    expect(limiter.take('a').allowed).toBe(true)
  })

  test('forgets buckets that are full again', () => {
    const { limiter, advance } = setUp()
    for (let caller = 0; caller < 1000; caller++) limiter.take(`caller ${caller}`)
    advance(60_000)
    for (let caller = 0; caller < 1000; caller++) limiter.take('the same')
    expect(limiter.size()).toBe(1)
  })

  test('never keeps more addresses in mind than it may, and lets those go that called longest ago', () => {
    const { limiter } = setUp({ maxBuckets: 100 })
    for (let call = 0; call < 60; call++) limiter.take('busy')
    for (let caller = 0; caller < 99; caller++) limiter.take(`caller ${caller}`)
    expect(limiter.take('busy').allowed).toBe(false)
    for (let caller = 0; caller < 5000; caller++) limiter.take(`stranger ${caller}`)
    expect(limiter.size()).toBe(100)
  })
})
