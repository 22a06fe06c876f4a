import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readJournal } from './journal.ts'

export type WaitingJournal = { readonly path: string; readonly postings: number }

/** The folder of what is deferred, within a node's data folder. */
export function deferredFolder(dataDir: string): string {
  return join(dataDir, 'deferred')
}

/** The journals that hold postings which are not on the ledger yet, as far as can be seen from beside the service. */
export async function listWaiting(folder: string): Promise<WaitingJournal[]> {
  const names = await readdir(folder).catch(() => [])
  const journals = names.filter(name => /\.journal(\.kept)?$/.test(name)).sort()
  return Promise.all(journals.map(name => count(join(folder, name))))
}

async function count(path: string): Promise<WaitingJournal> {
  let postings = 0
  for await (const _record of readJournal(path)) postings++
  return { path, postings }
}
