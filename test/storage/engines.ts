import { join } from 'node:path'
import { openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import type { Storage } from '#storage/storage.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'

export type OpenedStorage = { readonly storage: Storage; close(): Promise<void> }

/** Every engine that the service can store its books in: the same promises hold on each of them. */
export const ENGINES: readonly { readonly name: string; open(): Promise<OpenedStorage> }[] = [
  {
    name: 'SQLite',
    open: async () => {
      const folder = await makeTemporaryFolder()
      const storage = await openSqliteStorage(join(folder.path, 'goldweight.db'))
      return {
        storage,
        close: async () => {
          await storage.close()
          await folder.remove()
        },
      }
    },
  },
]
