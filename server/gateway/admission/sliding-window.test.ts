import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SlidingWindow } from './sliding-window.ts'

/** Plays arrivals against a limit; gives the times at which requests were let in and refused. */
function play(gaps: readonly number[], limit: number, windowMs: number) {
  let nowMs = 1_000_000
  const window = new SlidingWindow(windowMs, nowMs)
  const admitted: number[] = []
  const refused: number[] = []
  for (const gap of gaps) {
    nowMs += gap
    if (window.countAt(nowMs) < limit) {
      window.add(nowMs)
      admitted.push(nowMs)
    } else refused.push(nowMs)
  }
  return { admitted, refused }
}

const arrivals = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 3_000, noNaN: true })), {
  maxLength: 400,
})

describe('a sliding window, for arrivals of any kind', () => {
  test('never lets more than the limit through in any window of its length', () => {
    fc.assert(
      fc.property(
        arrivals,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 10 }),
        (gaps, limit, seconds) => {
          const windowMs = seconds * 1000
          const { admitted } = play(gaps, limit, windowMs)
          for (const [index, at] of admitted.entries()) {
            const others = admitted.slice(index).filter(other => other < at + windowMs)
            expect(others.length).toBeLessThanOrEqual(limit)
          }
        },
      ),
    )
  })

  test('never refuses when there is room, beyond a sixtieth of the window', () => {
    fc.assert(
      fc.property(
        arrivals,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 10 }),
        (gaps, limit, seconds) => {
          const windowMs = seconds * 1000
          const { admitted, refused } = play(gaps, limit, windowMs)
          for (const at of refused) {
            const lately = admitted.filter(
              other => other <= at && other > at - windowMs * (1 + 1 / 60) - 1e-6,
            )
            expect(lately.length).toBeGreaterThanOrEqual(limit)
          }
        },
      ),
    )
  })

  test('says when the next place is free: a moment before it is full, then it has room', () => {
    const window = new SlidingWindow(60_000, 0)
    window.add(500)
    const wait = window.msUntilNextFree(500)
    expect(window.countAt(500 + wait - 1)).toBe(1)
    expect(window.countAt(500 + wait)).toBe(0)
    expect(wait).toBeLessThanOrEqual(61_000)
    expect(wait).toBeGreaterThanOrEqual(60_000)
  })
})

test('a window of another length still holds the limit for the requests counted before', () => {
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 90 }), (gaps, seconds) => {
      let nowMs = 0
      const window = new SlidingWindow(60_000, nowMs)
      const times: number[] = []
      for (const gap of gaps) {
        nowMs += gap
        window.add(nowMs)
        times.push(nowMs)
      }
      const windowMs = seconds * 1000
      const known = times.filter(at => at > nowMs - Math.min(windowMs, 60_000))
      expect(window.resized(windowMs, nowMs).countAt(nowMs)).toBeGreaterThanOrEqual(known.length)
    }),
  )
})
