import type { IdempotencyClaims } from '#domains/idempotency/idempotency-claims.ts'
import type { AttemptCounter } from '#domains/identity/attempt-counter.ts'
import type { OneTimeTokens } from '#domains/identity/one-time-tokens.ts'
import type { Sessions } from '#domains/identity/sessions.ts'
import type { HealthRecorder } from '#domains/provider-health/health-recorder.ts'
import type { UsageUpkeep } from '#domains/usage/usage-upkeep.ts'
import { type Log, loggableError } from '#telemetry/log.ts'

const EVERY_MS = 3_600_000
/** Soon after the start, but not while everybody is connecting. */
const FIRST_AFTER_MS = 60_000

export type HousekeepingParts = {
  readonly sessions: Pick<Sessions, 'deleteExpired'>
  readonly attempts: Pick<AttemptCounter, 'deleteExpired'>
  readonly tokens: Pick<OneTimeTokens, 'deleteExpired'>
  readonly claims: Pick<IdempotencyClaims, 'deleteExpired'>
  readonly health: Pick<HealthRecorder, 'deleteExpired'>
  readonly usageUpkeep: UsageUpkeep
  readonly log: Log
}

/**
 * Clears away what has expired and sums up days that are over, once an hour. Nothing depends on it but the size of the
 * store and the speed of long reports. `stop` resolves when nothing of it is under way any more.
 */
export function startHousekeeping(parts: HousekeepingParts): { stop(): Promise<void> } {
  const { sessions, attempts, tokens, claims, health, usageUpkeep, log } = parts
  let stopped = false
  let round: Promise<void> | null = null

  async function keepHouse(): Promise<void> {
    const expiring = [sessions, attempts, tokens, claims, health].map(part => part.deleteExpired())
    const done = await Promise.allSettled([...expiring, usageUpkeep.run(() => stopped)])
    for (const result of done) {
      if (result.status === 'fulfilled') continue
      log.warn({ error: loggableError(result.reason) }, 'housekeeping failed and will be tried again')
    }
  }

  function begin(): void {
    // A round may take longer than an hour where there is much to clear away.
    round ??= keepHouse().finally(() => {
      round = null
    })
  }

  const first = setTimeout(begin, FIRST_AFTER_MS).unref()
  const timer = setInterval(begin, EVERY_MS).unref()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(first)
      clearInterval(timer)
      await round
    },
  }
}
