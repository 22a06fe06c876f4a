import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { openSqliteAlone } from '#storage/sqlite/open-alone.ts'
import { openSqliteForReading, openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import type { Config } from '../config.ts'
import { sqlitePath } from '../open-store.ts'
import { UsageError } from './commands.ts'

/**
 * Puts a backup in the place of the embedded database; gives where the one before it is kept, null where there was none.
 * The backup is copied, brought up to this version and its ledger verified before anything is touched. Throws while the
 * service runs, and when the books of the backup do not add up.
 */
export async function restore(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  source: string,
  nowMs: number,
): Promise<string | null> {
  if (source === '') throw new UsageError('restore needs the file of the backup')
  if (config.databaseUrl !== null)
    throw new Error('restore is for the embedded database; use pg_restore for Postgres')
  if (!existsSync(source)) throw new Error(`There is no file ${source}`)
  const path = sqlitePath(config.dataDir)
  const copy = `${path}.restoring`
  await removeDatabase(copy)
  try {
    await copyDatabase(source, copy)
    await verify(copy)
    return await putInPlace(copy, path, nowMs)
  } finally {
    await removeDatabase(copy)
  }
}

async function copyDatabase(source: string, target: string): Promise<void> {
  const database = new DatabaseSync(source, { readOnly: true })
  try {
    await backup(database, target)
  } catch (error) {
    throw new Error(`${source} is no backup: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    database.close()
  }
}

async function verify(path: string): Promise<void> {
  // A backup of an older version is brought up to this one: what is verified is what will be used.
  await (await openSqliteStorage(path)).close()
  const storage = await openSqliteForReading(path)
  try {
    const books = await storage.snapshot(verifyLedger)
    if (!books.ok) throw new Error(`The ledger of the backup does not add up. ${books.refusal}`)
  } finally {
    await storage.close()
  }
}

async function putInPlace(copy: string, path: string, nowMs: number): Promise<string | null> {
  if (!existsSync(path)) {
    // Where the database alone was taken away, its log is still there, and SQLite would play it into the new one.
    await removeDatabase(path)
    await rename(copy, path)
    return null
  }
  const kept = `${path}.before-restore-${new Date(nowMs).toISOString().replaceAll(':', '-')}`
  // Nobody else can open the file until it has another name.
  const old = await openSqliteAlone(path)
  try {
    // All of it is in one file then, and closing it leaves nothing to be taken away under the name of the new one.
    old.database.exec('pragma journal_mode = delete')
    await rename(path, kept)
    await rename(copy, path)
  } finally {
    old.close()
  }
  return kept
}

async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true })
}
