import type { Clock } from '#lib/clock.ts'
import { startClockwork } from '#lib/clockwork.ts'
import type { Statement, Storage } from '#storage/storage.ts'

const FLUSH_EVERY_MS = 1000
/** So many keys go into one unit; the others wait for the next, so that no request's charge waits long behind it. */
const MAX_KEYS_PER_UNIT = 1000

/** Notes when keys were last used, without a write per request. */
export type KeyUseRecorder = {
  /** Costs one write into a map. */
  used(keyId: string): void
  /** Writes down everything noted so far; rejects when the store does not take it, and keeps it for the next time. */
  flush(): Promise<void>
  /** Stops the clockwork and writes down what is left. */
  close(): Promise<void>
}

export function createKeyUseRecorder({
  storage,
  clock,
}: {
  readonly storage: Storage
  readonly clock: Clock
}): KeyUseRecorder {
  const usedAt = new Map<string, number>()

  async function writeDown(): Promise<void> {
    // What is noted from here on waits for the next time: a busy key would be written with every commit, without end.
    const noted = [...usedAt]
    usedAt.clear()
    for (let start = 0; start < noted.length; start += MAX_KEYS_PER_UNIT) {
      const unit = noted.slice(start, start + MAX_KEYS_PER_UNIT)
      try {
        await storage.commit(unit.map(([keyId, at]) => noteUse(storage, keyId, at)))
      } catch (error) {
        // A use that was noted meanwhile is the later one.
        for (const [keyId, at] of noted.slice(start)) usedAt.set(keyId, usedAt.get(keyId) ?? at)
        throw error
      }
    }
  }

  // Losing the note of a use is no fault worth a log line each second: the store's own failures are logged elsewhere.
  const clockwork = startClockwork(writeDown, FLUSH_EVERY_MS)

  return {
    used: keyId => {
      usedAt.set(keyId, clock.now())
    },
    flush: clockwork.run,
    close: clockwork.close,
  }
}

/** Nodes may write out of order; the latest use stands. */
function noteUse({ db }: Storage, keyId: string, at: number): Statement {
  const query = db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('id', '=', keyId)
    .where(eb => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
  return { query }
}
