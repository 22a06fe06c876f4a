import type { Changes } from '#lib/changes.ts'
import type { Cipher } from '#lib/cipher.ts'
import { oneAtATime } from '#lib/one-at-a-time.ts'
import type { Storage } from '#storage/storage.ts'
import type { Log } from '#telemetry/log.ts'
import { fingerprint, readCatalogRows } from './catalog-rows.ts'
import { buildCatalog, EMPTY_CATALOG, type LoadedCatalog } from './load-snapshot.ts'
import { createProviderSecrets } from './provider-secrets.ts'

/** The catalogue in memory, kept up to date. */
export type Catalog = {
  /** Reads the catalogue for the first time and begins to watch it. Throws when the store can't be read. */
  load(): Promise<void>
  /** The catalogue as of now. Whoever holds on to it, or to a model of it, sees no later change. */
  current(): LoadedCatalog
  /** Tells all parts and nodes of a committed change; resolves when this node has read it, or has failed to. */
  announce(): Promise<void>
  /** Stops watching. */
  close(): void
}

export type CatalogOptions = {
  readonly storage: Pick<Storage, 'db'>
  readonly changes: Changes
  readonly cipher: Cipher
  readonly log: Log
  /** How often the store is asked for changes whose message was lost. */
  readonly pollMs?: number
}

const POLL_MS = 4000

export function createCatalog({ storage, changes, cipher, log, pollMs = POLL_MS }: CatalogOptions): Catalog {
  const secrets = createProviderSecrets(cipher)
  let current = EMPTY_CATALOG
  let currentFingerprint = ''
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function read(): Promise<void> {
    const rows = await readCatalogRows(storage)
    const latest = fingerprint(rows)
    if (latest === currentFingerprint) return
    current = buildCatalog(rows, secrets, log)
    currentFingerprint = latest
  }

  const reload = oneAtATime(async () => {
    if (closed) return
    try {
      await read()
    } catch (error) {
      if (closed) return
      log.error({ error }, 'the catalogue could not be read again; the one in memory stays')
    }
  })

  changes.subscribe(change => {
    if (change.kind === 'catalog' || change.kind === 'resync') reload.start()
  })

  return {
    async load() {
      await read()
      timer ??= setInterval(() => {
        if (!reload.isRunning()) reload.start()
      }, pollMs)
      timer.unref()
    },
    current: () => current,
    announce: () => {
      // The subscription above has started a reading before `publish` returns.
      changes.publish({ kind: 'catalog' })
      return reload.settled()
    },
    close: () => {
      closed = true
      clearInterval(timer)
    },
  }
}
