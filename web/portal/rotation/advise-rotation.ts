import type { Key, LiveUse } from '#web/api/client/keys.ts'

/** So long an old key has to be quiet before it is called unused: jobs that run every ten minutes are common. */
const QUIET_MS = 15 * 60 * 1000

export type RotationFacts = {
  readonly old: Key
  readonly next: Key
  readonly live: readonly LiveUse[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

export type RotationAdvice = {
  /** Whether nothing speaks against revoking the old key. */
  readonly isSafe: boolean
  readonly text: string
}

/** What the use of both keys says of whether the old one can go. */
export function adviseRotation({ old, next, live, now }: RotationFacts): RotationAdvice {
  const usesOf = ({ id }: Key) => live.find(use => use.key_id === id)
  const isBusy = (key: Key) => (usesOf(key)?.in_flight ?? 0) > 0 || (usesOf(key)?.requests ?? 0) > 0
  const quietMs = old.last_used_at === null ? Number.POSITIVE_INFINITY : now - Date.parse(old.last_used_at)
  if (isBusy(old)) return { isSafe: false, text: `${old.name} is in use right now.` }
  if (next.last_used_at === null && !isBusy(next)) {
    return { isSafe: false, text: `${next.name} was never used so far: deploy it first.` }
  }
  if (quietMs < QUIET_MS) {
    const minutes = Math.max(1, Math.round(quietMs / 60_000))
    return {
      isSafe: false,
      text: `${next.name} is in use, and ${old.name} was until ${minutes} min ago: wait a while.`,
    }
  }
  return { isSafe: true, text: `${next.name} is in use, and ${old.name} is quiet: it can be revoked.` }
}
