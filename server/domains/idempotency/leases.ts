/** Keeps the claims of this process alive while their requests run. */
import type { Clock } from '#lib/clock.ts'
import type { Storage } from '#storage/storage.ts'
import { type Log, loggableError } from '#telemetry/log.ts'

/** How long a claim is believed whose node says no more of it. */
const LEASE_MS = 10_000
const RENEW_EVERY_MS = 2_500

export type Leases = {
  /** When a lease that begins or is renewed now lapses. */
  nextLapse(): number
  hold(requestId: string): void
  drop(requestId: string): void
  /** Renews no more. */
  close(): void
}

export function createLeases({
  storage,
  clock,
  log,
}: {
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
}): Leases {
  const held = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  const nextLapse = () => clock.now() + LEASE_MS

  async function renew(): Promise<void> {
    const query = storage.db
      .updateTable('idempotency_claims')
      .set({ lapses_at: nextLapse() })
      .where('request_id', 'in', [...held])
      .where('state', '=', 'running')
    await storage.commit([{ query }])
  }

  function stop(): void {
    if (timer) clearInterval(timer)
    timer = null
  }

  return {
    nextLapse,
    hold: requestId => {
      held.add(requestId)
      timer ??= setInterval(() => {
        renew().catch(error => log.warn({ error: loggableError(error) }, 'claims could not be renewed'))
      }, RENEW_EVERY_MS).unref()
    },
    drop: requestId => {
      held.delete(requestId)
      if (held.size === 0) stop()
    },
    close: stop,
  }
}
