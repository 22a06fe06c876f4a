import { join } from 'node:path'
import { inject } from 'vitest'
import { openPostgresStorage } from '#storage/postgres/postgres-storage.ts'
import { openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import type { Storage } from '#storage/storage.ts'
import { MIGRATED, makePostgresDatabase } from '#test/support/postgres-server.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'

export type OpenedStorage = { readonly storage: Storage; close(): Promise<void> }

async function openSqlite(): Promise<OpenedStorage> {
  const folder = await makeTemporaryFolder()
  const storage = await openSqliteStorage(join(folder.path, 'goldweight.db'))
  return {
    storage,
    close: async () => {
      await storage.close()
      await folder.remove()
    },
  }
}

async function openPostgres(): Promise<OpenedStorage> {
  const database = await makePostgresDatabase({ template: MIGRATED })
  const folder = await makeTemporaryFolder()
  const storage = await openPostgresStorage({
    url: database.url,
    deferredFolder: folder.path,
    report: () => {},
  })
  return {
    storage,
    close: async () => {
      await storage.close()
      await database.drop()
      await folder.remove()
    },
  }
}

/** Every engine that the service can store its books in: the same promises hold on each, in the project that has it. */
export const ENGINES: readonly { readonly name: string; open(): Promise<OpenedStorage> }[] = [
  inject('engines') === 'embedded'
    ? { name: 'SQLite', open: openSqlite }
    : { name: 'Postgres', open: openPostgres },
]
