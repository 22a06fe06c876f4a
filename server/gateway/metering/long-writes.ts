/** The part of a bucket that was written into a cache to live for an hour; never more than the bucket holds. */
export function longWrites(reported: number | undefined, cacheWrite: number): { cache_write_1h?: number } {
  const long = Math.min(reported ?? 0, cacheWrite)
  return long === 0 ? {} : { cache_write_1h: long }
}
