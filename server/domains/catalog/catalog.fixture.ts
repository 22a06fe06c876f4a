import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createAudit } from '#domains/audit/audit.ts'
import { type Changes, createLocalChanges } from '#lib/changes.ts'
import { createCipher } from '#lib/cipher.ts'
import type { Outcome } from '#lib/outcome.ts'
import { openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import type { Storage } from '#storage/storage.ts'
import { createLog, type Log, silentLog } from '#telemetry/log.ts'
import { createCatalog } from './catalog.ts'
import { createModels } from './models.ts'
import { createPackages } from './packages.ts'
import { createProviders } from './providers.ts'

export const ADMINISTRATOR = { type: 'administrator', id: 'adm_1' } as const
export const PRICED = { input: 2.5, cache_read: 0.25, cache_write: 3.125, output: 10 }

/** A store in a folder of its own. */
export async function openTemporaryStorage() {
  const folder = await mkdtemp(join(tmpdir(), 'goldweight-catalog-'))
  const storage = await openSqliteStorage(join(folder, 'goldweight.db'))
  return {
    storage,
    folder,
    /** Takes away all that these tests put in: a store is quicker emptied than opened. */
    empty: async () => {
      const tables = ['model_routes', 'models', 'providers', 'packages', 'audit_entries'] as const
      await storage.commit(tables.map(table => ({ query: storage.db.deleteFrom(table) })))
    },
    close: async () => {
      await storage.close()
      await rm(folder, { recursive: true })
    },
  }
}

export type NodeOptions = {
  readonly storage: Storage
  readonly secret?: string
  readonly changes?: Changes
  readonly log?: Log
  readonly pollMs?: number
}

/** The catalogue of one node, with all that changes it. */
export async function openNode({
  storage,
  secret = 'secret of the tests',
  changes = createLocalChanges(),
  log = silentLog,
  pollMs = 60_000,
}: NodeOptions) {
  let nowMs = Date.UTC(2026, 10, 21)
  const clock = { now: () => nowMs++, monotonicMs: () => performance.now() }
  const cipher = createCipher(secret)
  const audit = createAudit({ storage, clock })
  const catalog = createCatalog({ storage, changes, cipher, log, pollMs })
  await catalog.load()
  return {
    catalog,
    audit,
    changes,
    providers: createProviders({ storage, clock, cipher, audit, catalog }),
    models: createModels({ storage, clock, audit, catalog }),
    packages: createPackages({ storage, clock, audit, catalog }),
  }
}

export type Node = Awaited<ReturnType<typeof openNode>>

export type TemporaryStorage = Awaited<ReturnType<typeof openTemporaryStorage>>

/** Gives each test of a file a node of its own, over one store that is emptied before it. */
export function giveFreshNodes(take: (fresh: { store: TemporaryStorage; node: Node }) => void): void {
  let store: TemporaryStorage
  let node: Node
  beforeAll(async () => {
    store = await openTemporaryStorage()
  })
  beforeEach(async () => {
    await store.empty()
    node = await openNode({ storage: store.storage })
    take({ store, node })
  })
  afterEach(() => node.catalog.close())
  afterAll(() => store.close())
}

/** The value of an operation that must not be refused. */
export function acceptedValue<Value>(outcome: Outcome<Value, { message: string }>): Value {
  if (!outcome.ok) throw new Error(`refused: ${outcome.refusal.message}`)
  return outcome.value
}

/** The refusal of an operation that must be refused. */
export function givenRefusal<Refusal>(outcome: Outcome<unknown, Refusal>): Refusal {
  if (outcome.ok) throw new Error('was not refused')
  return outcome.refusal
}

/** A provider at an address where nobody listens. */
export async function addProvider({ providers }: Node, name = 'upstream') {
  const base_url = 'http://127.0.0.1:9/v1'
  return acceptedValue(
    await providers.create({ name, kind: 'openai', base_url, credential: 'sk-plain-value' }, ADMINISTRATOR),
  )
}

/** A log that keeps its lines. */
export function keepingLog() {
  const lines: string[] = []
  return { log: createLog('debug', { write: (line: string) => void lines.push(line) }), lines }
}
