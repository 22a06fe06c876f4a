import { access } from 'node:fs/promises'
import { SqliteConnection } from './connection.ts'

/** Opens an existing database and keeps everybody else out. Throws one clear line when a service has it open. */
export async function openSqliteAlone(path: string): Promise<SqliteConnection> {
  await access(path).catch(() => {
    throw new Error(`There is no database ${path}`)
  })
  try {
    return new SqliteConnection(path, { readOnly: false, alone: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} can't be had alone (is a service running on it?): ${reason}`, { cause: error })
  }
}
