import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** https://sqlite.org/rescode.html */
const SQLITE_BUSY = 5

export type Lock = {
  /** Gives it back. `remove` takes its file away too, where nothing is left to be locked. */
  release(options: { readonly remove: boolean }): void
}

/**
 * A lock that a process holds until it ends, however it ends: SQLite's own on an empty database, which the operating
 * system gives back. null: somebody else holds it. Taken at the start alone, before anything is served.
 */
export function tryLock(path: string): Lock | null {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null
    throw error
  }
  return {
    release: ({ remove }) => {
      if (remove) rmSync(path, { force: true })
      database.close()
    },
  }
}
