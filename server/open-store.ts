import { join } from 'node:path'
import { deferredFolder } from '#storage/deferred/list-waiting.ts'
import {
  openPostgresForReading,
  openPostgresStorage,
  type StoreEvent,
} from '#storage/postgres/postgres-storage.ts'
import { openSqliteForReading, openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import type { ReadOnlyStorage, Storage } from '#storage/storage.ts'
import type { Log } from '#telemetry/log.ts'
import type { Config } from './config.ts'

/** The embedded database's file in a data folder. */
export function sqlitePath(dataDir: string): string {
  return join(dataDir, 'goldweight.db')
}

/** Opens the store that is configured. Throws one clear line when it can't be used. */
export function openStore(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Log,
): Promise<Storage> {
  if (databaseUrl === null) return openSqliteStorage(sqlitePath(dataDir))
  return openPostgresStorage({
    url: databaseUrl,
    deferredFolder: deferredFolder(dataDir),
    report: event => logStoreEvent(log, event),
  })
}

/** Opens an existing store for reading alone, beside services that may be writing to it. */
export function openStoreForReading({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<ReadOnlyStorage> {
  return databaseUrl === null
    ? openSqliteForReading(sqlitePath(dataDir))
    : openPostgresForReading(databaseUrl)
}

function logStoreEvent(log: Log, event: StoreEvent): void {
  switch (event.kind) {
    case 'away':
      log.error({ reason: event.reason }, 'the database does not answer: requests are refused until it does')
      break
    case 'unknown':
      log.error(
        { migration: event.migration },
        'the database was changed by a newer version: this node serves no more',
      )
      break
    case 'serving':
      log.info({ away_ms: event.awayMs }, 'the database answers again')
      break
    case 'replayed':
      if (event.postings > 0) log.info({ postings: event.postings }, 'what was deferred is on the ledger')
      if (event.kept.length > 0) {
        log.error({ journals: event.kept }, 'some of what was deferred can not be posted and was kept')
      }
  }
}
