import type { Clock } from '#lib/clock.ts'

/** What became of one call at the limiter. */
export type Decision =
  | { readonly allowed: true }
  /** `retryAfterSeconds`: until one call is free; at least 1. */
  | { readonly allowed: false; readonly retryAfterSeconds: number }

/** A bucket of calls for each client address; every public route draws from the same one. */
export type DiscoveryLimiter = { take(address: string): Decision | Promise<Decision> }

export type MemoryLimiterOptions = {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Calls that a full bucket holds; it recovers one of them every `recoveryMs`. */
  readonly capacity?: number
  readonly recoveryMs?: number
  /** The most addresses that are kept in mind. */
  readonly maxBuckets?: number
}

export const CAPACITY = 60
export const RECOVERY_MS = 1000
const MAX_BUCKETS = 100_000
/** Each call clears away up to so many full buckets: more than one, so that they can't pile up. */
const SWEEP_STEPS = 2
export const ALLOWED: Decision = { allowed: true }

/** The decision over a call that comes so many milliseconds too early. */
export function refusedFor(missingMs: number): Decision {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(missingMs / 1000)) }
}

export type MemoryLimiter = {
  take(address: string): Decision
  /** How many addresses are kept in mind now. */
  size(): number
}

/**
 * The buckets of one process. Of a bucket only the moment is kept at which it will be full again: a call moves that
 * moment on by one recovery, and is refused when it would lie more than a whole bucket ahead.
 */
export function createMemoryLimiter({
  clock,
  capacity = CAPACITY,
  recoveryMs = RECOVERY_MS,
  maxBuckets = MAX_BUCKETS,
}: MemoryLimiterOptions): MemoryLimiter {
  /** In the order of the last call that was let through: whoever stands first is full first, or nearly so. */
  const fullAt = new Map<string, number>()

  function forgetFull(now: number): void {
    for (let step = 0; step < SWEEP_STEPS; step++) {
      const oldest = fullAt.entries().next().value
      if (oldest === undefined || oldest[1] > now) return
      fullAt.delete(oldest[0])
    }
  }

  function forgetOldest(): void {
    const oldest = fullAt.keys().next().value
    if (oldest !== undefined) fullAt.delete(oldest)
  }

  return {
    take(address) {
      // Whole milliseconds: sums of fractions drift, and the last call of a bucket would depend on it.
      const now = Math.floor(clock.monotonicMs())
      forgetFull(now)
      const full = Math.max(fullAt.get(address) ?? now, now) + recoveryMs
      const excessMs = full - now - capacity * recoveryMs
      if (excessMs > 0) return refusedFor(excessMs)
      fullAt.delete(address)
      if (fullAt.size >= maxBuckets) forgetOldest()
      fullAt.set(address, full)
      return ALLOWED
    },
    size: () => fullAt.size,
  }
}
