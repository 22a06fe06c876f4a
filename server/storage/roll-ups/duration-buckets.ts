/**
 * How durations are counted so that percentiles over any span follow from sums: in 26 fixed buckets, five a decade
 * (the preferred numbers of ISO 3, R5). A percentile read from them is off by at most the width of one bucket.
 */

/** The upper bounds of all buckets but the last, in milliseconds, inclusive: from 10 ms to ten and a half minutes. */
export const DURATION_BOUNDS_MS = [
  10, 16, 25, 40, 63, 100, 160, 250, 400, 630, 1_000, 1_600, 2_500, 4_000, 6_300, 10_000, 16_000, 25_000,
  40_000, 63_000, 100_000, 160_000, 250_000, 400_000, 630_000,
] as const

/** The last parts of the columns' names; the last bucket holds what took longer than any bound. */
export const DURATION_BUCKETS = [
  '00',
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '07',
  '08',
  '09',
  '10',
  '11',
  '12',
  '13',
  '14',
  '15',
  '16',
  '17',
  '18',
  '19',
  '20',
  '21',
  '22',
  '23',
  '24',
  '25',
] as const

export type DurationBucket = (typeof DURATION_BUCKETS)[number]

/** The number of the bucket that a duration is counted in. */
export function bucketOf(durationMs: number): number {
  let low = 0
  let high: number = DURATION_BOUNDS_MS.length
  while (low < high) {
    const middle = (low + high) >> 1
    // Below the length of the list, so there is one.
    if (durationMs <= (DURATION_BOUNDS_MS[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}
