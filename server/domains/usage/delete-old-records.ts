import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '#contract/settings.ts'
import type { Clock } from '#lib/clock.ts'
import { firstIdAt } from '#lib/id.ts'
import { DAY_MS, HOUR_MS } from '#storage/roll-ups/usage-tables.ts'
import type { Storage } from '#storage/storage.ts'

const RECORDS_IN_UNIT = 100
/** Between two units, so that settlements hardly notice: some hundred records a second go. */
const PAUSE_MS = 200

export type DeleteOldRecordsOptions = {
  readonly storage: Pick<Storage, 'db' | 'commit'>
  readonly settings: { get(): Promise<Pick<Settings, 'request_retention_days'>> }
  readonly clock: Clock
  /** Looked at between two units: true ends the work, which goes on with the next call. */
  readonly shouldStop?: () => boolean
  readonly sleep?: (ms: number) => Promise<unknown>
}

/**
 * Deletes single records that are older than the settings keep them, a few at a time; gives how many. The sums of their
 * hours stay, and so do all entries of the ledger. The mark of what may be gone is set first, in whole hours: what is
 * missing behind it was deleted, what is missing before it is missing.
 */
export async function deleteOldRecords(options: DeleteOldRecordsOptions): Promise<number> {
  const { storage, settings, clock, shouldStop = () => false, sleep: wait = sleep } = options
  const { db } = storage
  const { request_retention_days: days } = await settings.get()
  if (days === null) return 0
  const before = Math.floor((clock.now() - days * DAY_MS) / HOUR_MS) * HOUR_MS
  const mark = db
    .insertInto('retention_marks')
    .values({ id: 'requests', deleted_before: before })
    .onConflict(conflict =>
      conflict
        .column('id')
        .doUpdateSet({ deleted_before: before })
        .where('retention_marks.deleted_before', '<', before),
    )
  await storage.commit([{ query: mark }])
  const oldest = db
    .selectFrom('requests')
    .select('id')
    .where('id', '<', firstIdAt('req', before))
    .orderBy('id')
    .limit(RECORDS_IN_UNIT)
  const deletion = db.deleteFrom('requests').where('id', 'in', oldest)
  let deleted = 0
  while (!shouldStop()) {
    const outcome = await storage.commit([{ query: deletion }])
    const [count = 0] = outcome.kind === 'committed' ? outcome.rowsChanged : []
    deleted += count
    if (count < RECORDS_IN_UNIT) break
    await wait(PAUSE_MS)
  }
  return deleted
}
