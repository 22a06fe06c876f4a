import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#lib/clock.ts'
import { openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import type { Storage } from '#storage/storage.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { createKeyUseRecorder } from './key-use-recorder.ts'

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let storage: Storage

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  storage = await openSqliteStorage(`${folder.path}/goldweight.db`)
})
afterAll(async () => {
  await storage.close()
  await folder.remove()
})

test('a key that is in use all the time is written down once a flush, not with every commit', async () => {
  let commits = 0
  const recorder = createKeyUseRecorder({
    clock: systemClock,
    storage: {
      ...storage,
      db: storage.db,
      commit: statements => {
        // The key is used again while its last use is being written down; it stops in the end, so that a test can.
        if (++commits < 50) recorder.used('key_busy')
        return storage.commit(statements)
      },
    },
  })
  recorder.used('key_busy')
  await recorder.flush()
  expect(commits).toBe(1)
  await recorder.flush()
  expect(commits).toBe(2)
  await recorder.close()
})
