import { existsSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Config } from '../config.ts'
import { sqlitePath } from '../open-store.ts'
import { UsageError } from './commands.ts'

/**
 * Copies the embedded database as of one moment while the service goes on (https://sqlite.org/backup.html). Refuses
 * a file that exists. The secret is not in it: without the secret, stored credentials stay unreadable.
 */
export async function backUp(config: Pick<Config, 'databaseUrl' | 'dataDir'>, target: string): Promise<void> {
  if (target === '') throw new UsageError('backup needs the file to write')
  if (config.databaseUrl !== null)
    throw new Error('backup copies the embedded database; use pg_dump for Postgres')
  if (existsSync(target)) throw new Error(`${target} exists already`)
  const source = new DatabaseSync(sqlitePath(config.dataDir), { readOnly: true, timeout: 10_000 })
  try {
    await backup(source, target)
  } finally {
    source.close()
  }
}
