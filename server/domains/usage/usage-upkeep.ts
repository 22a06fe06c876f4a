import { type DeleteOldRecordsOptions, deleteOldRecords } from './delete-old-records.ts'
import { type FoldDaysOptions, foldDays } from './fold-days.ts'

/** The work on usage that no request waits for. */
export type UsageUpkeep = {
  /** Sums up days that are over, and deletes records that are older than they are kept. */
  run(shouldStop: () => boolean): Promise<void>
}

export function createUsageUpkeep(parts: FoldDaysOptions & DeleteOldRecordsOptions): UsageUpkeep {
  return {
    run: async shouldStop => {
      await foldDays({ ...parts, shouldStop })
      await deleteOldRecords({ ...parts, shouldStop })
    },
  }
}
