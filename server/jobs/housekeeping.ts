import type { AttemptCounter } from '#domains/identity/attempt-counter.ts'
import type { OneTimeTokens } from '#domains/identity/one-time-tokens.ts'
import type { Sessions } from '#domains/identity/sessions.ts'
import { type Log, loggableError } from '#telemetry/log.ts'

const EVERY_MS = 3_600_000

export type HousekeepingParts = {
  readonly sessions: Pick<Sessions, 'deleteExpired'>
  readonly attempts: Pick<AttemptCounter, 'deleteExpired'>
  readonly tokens: Pick<OneTimeTokens, 'deleteExpired'>
  readonly log: Log
}

/** Clears away what has expired, once an hour. Nothing depends on it but the size of the store. */
export function startHousekeeping({ sessions, attempts, tokens, log }: HousekeepingParts): { stop(): void } {
  const timer = setInterval(() => {
    Promise.all([sessions, attempts, tokens].map(part => part.deleteExpired())).catch(error => {
      log.warn({ error: loggableError(error) }, 'housekeeping failed and will be tried again')
    })
  }, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
