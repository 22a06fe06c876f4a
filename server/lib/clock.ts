// Imported, where the global of that name is looked up anew by each use: every request asks for the time often.
import { performance } from 'node:perf_hooks'

/** The time as every part of the service sees it; tests hand in their own. */
export type Clock = {
  /** Wall-clock time in milliseconds since the epoch: for records and expiry dates. */
  now(): number
  /** Milliseconds on a clock that never jumps: for windows, buckets and latencies. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
}

/** A moment in milliseconds since the epoch as RFC 3339 text in UTC. */
export function rfc3339(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** The same for a moment that may not have come. */
export function rfc3339OrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : rfc3339(epochMs)
}
