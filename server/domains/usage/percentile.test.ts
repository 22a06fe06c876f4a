import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketOf, DURATION_BOUNDS_MS, DURATION_BUCKETS } from '#storage/roll-ups/duration-buckets.ts'
import { findPercentile, summarise } from './percentile.ts'

function countsOf(durations: readonly number[]): number[] {
  const counts = DURATION_BUCKETS.map(() => 0)
  for (const duration of durations) counts[bucketOf(duration)] = (counts[bucketOf(duration)] ?? 0) + 1
  return counts
}

test('a percentile lies in the bucket of the true one', () => {
  const durations = fc.array(fc.integer({ min: 0, max: 630_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95), (values, share) => {
      const sorted = [...values].sort((a, b) => a - b)
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0
      const bucket = bucketOf(exact)
      const found = findPercentile(countsOf(values), share) ?? -1
      expect(found).toBeGreaterThanOrEqual(DURATION_BOUNDS_MS[bucket - 1] ?? 0)
      expect(found).toBeLessThanOrEqual(DURATION_BOUNDS_MS[bucket] ?? 630_000)
    }),
  )
})

test('within a bucket, durations are taken to be spread evenly', () => {
  expect(findPercentile(countsOf([101, 120, 140, 160]), 0.5)).toBe(130)
  expect(findPercentile(countsOf([5]), 0.5)).toBe(5)
})

test('what took longer than any bound took at least the last one', () => {
  expect(findPercentile(countsOf([9_999_999]), 0.95)).toBe(630_000)
})

test('nothing has no percentiles and no average', () => {
  expect(summarise({ count: 0, sumMs: 0, histogram: countsOf([]) })).toBeNull()
})

test('an average needs no buckets, percentiles do', () => {
  expect(summarise({ count: 2, sumMs: 31, histogram: null })).toEqual({ average: 16, p50: null, p95: null })
  expect(summarise({ count: 2, sumMs: 31, histogram: countsOf([10, 21]) })).toEqual({
    average: 16,
    p50: 10,
    p95: 24,
  })
})
