import { expect, test } from 'vitest'
import { createAudit } from '#domains/audit/audit.ts'
import { createLocalChanges } from '#lib/changes.ts'
import { openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { createSettings } from './settings.ts'

test.each(['settings', 'resync'] as const)(
  'a change on another node is seen at once when it is told of (%s), and within two seconds when it is not',
  async kind => {
    const folder = await makeTemporaryFolder()
    const storage = await openSqliteStorage(`${folder.path}/goldweight.db`)
    let nowMs = 1_000_000
    const clock = { now: () => nowMs, monotonicMs: () => nowMs }
    const audit = createAudit({ storage, clock })
    const [hearing, other] = [createLocalChanges(), createLocalChanges()]
    const settings = createSettings({ storage, clock, audit, changes: hearing })
    const elsewhere = createSettings({ storage, clock, audit, changes: other })
    const actor = { type: 'system', id: null } as const
    try {
      expect(await settings.get()).toMatchObject({ sign_up: 'open' })
      await elsewhere.patch({ sign_up: 'closed' }, actor)
      hearing.publish({ kind })
      expect(await settings.get()).toMatchObject({ sign_up: 'closed' })
      await elsewhere.patch({ sign_up: 'open' }, actor)
      nowMs += 2_000
      expect(await settings.get()).toMatchObject({ sign_up: 'open' })
    } finally {
      await storage.close()
      await folder.remove()
    }
  },
)
