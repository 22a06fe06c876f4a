import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { DeferredPostings, type Replayed } from '../deferred/deferred-postings.ts'
import { knownMigrations } from '../migrations/migrate.ts'
import {
  type CommitOutcome,
  type PostedLaterListener,
  type Posting,
  type PostingOutcome,
  type ReadOnlyStorage,
  type Statement,
  type Storage,
  StorageUnavailable,
} from '../storage.ts'
import type { Tables } from '../tables.ts'
import { Connections } from './connections.ts'
import { ConstraintNames } from './constraint-names.ts'
import { DeferringPoster } from './deferring-poster.ts'
import { hasLostConnection } from './faults.ts'
import { createKysely, migratePostgres } from './migrate-postgres.ts'
import { withPatience } from './patience.ts'
import { Poster } from './poster.ts'
import { Session } from './session.ts'
import { StoreWatch, type WatchEvent } from './store-watch.ts'
import { type UnitOutcome, UnitWriter } from './unit-writer.ts'

const GOODBYE_MS = 1_000

export type StoreEvent = WatchEvent | ({ readonly kind: 'replayed' } & Replayed)

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database` */
  readonly url: string
  /** A folder on this node's disk for what can't be posted while the server is away. */
  readonly deferredFolder: string
  /** Told when the server goes away, when it is back, and what was made up for. */
  readonly report: (event: StoreEvent) => void
}

/**
 * Opens a database on a Postgres server, migrated if need be: of several nodes that start at once one does it, and the
 * others wait for it. What was left to be posted here is posted first. Throws one clear line when the server can't be
 * reached or its schema is not known.
 */
export async function openPostgresStorage(options: PostgresOptions): Promise<Storage> {
  const connections = new Connections(options.url)
  await migratePostgres(connections)
  const deferred = await DeferredPostings.open(options.deferredFolder)
  const storage = new PostgresStorage(connections, deferred, options)
  await storage.replay()
  return storage
}

/** Opens an existing database for reading alone, beside services that may be writing to it. */
export async function openPostgresForReading(url: string): Promise<ReadOnlyStorage> {
  const connections = new Connections(url)
  const reports = createKysely(connections.pool('reports'), () => {})
  return { snapshot: read => readSnapshot(reports, read), close: () => reports.destroy() }
}

function readSnapshot<Result>(
  db: Kysely<Tables>,
  read: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}

class PostgresStorage implements Storage {
  readonly engine = 'postgres'
  readonly db: Kysely<Tables>
  readonly reports: Kysely<Tables>
  readonly #connections: Connections
  readonly #pools: readonly Pool[]
  readonly #sessions: readonly Session[]
  readonly #poster: Poster
  readonly #deferred: DeferredPostings
  readonly #requests: DeferringPoster
  readonly #units: UnitWriter
  readonly #watch: StoreWatch
  #closed: Promise<void> | null = null

  readonly #report: PostgresOptions['report']

  constructor(connections: Connections, deferred: DeferredPostings, { url, report }: PostgresOptions) {
    this.#report = report
    this.#deferred = deferred
    this.#connections = connections
    const watch = new StoreWatch({
      url,
      knownMigrations: knownMigrations({ engine: 'postgres' }),
      onAway: () => connections.shut(),
      recover: () => this.#recover(),
      report,
    })
    const reads = connections.pool('reads')
    const reports = connections.pool('reports')
    this.#pools = [reads, reports]
    const suspect = () => watch.suspect()
    this.db = createKysely(reads, suspect)
    this.reports = createKysely(reports, suspect)
    // A connection may be lost while the server is well: then it is worth asking again over a new one.
    const mayTryAgain = (error: unknown) => hasLostConnection(error) && watch.state !== 'away'
    const postings = new Session(() => connections.config('postings'))
    const units = new Session(() => connections.config('units'))
    this.#sessions = [postings, units]
    this.#poster = new Poster(postings, mayTryAgain)
    this.#requests = new DeferringPoster({
      poster: this.#poster,
      deferred,
      isAway: () => watch.state === 'away',
      declareAway: reason => watch.declareAway(reason),
    })
    this.#units = new UnitWriter(units, new ConstraintNames(reads), mayTryAgain)
    this.#watch = watch
  }

  snapshot<Result>(read: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    return readSnapshot(this.reports, read)
  }

  async commit(statements: readonly Statement[]): Promise<CommitOutcome> {
    this.#mustBeThere()
    const outcome = await this.#units.commit(statements)
    switch (outcome.kind) {
      case 'committed':
      case 'duplicate':
      case 'reference':
      case 'unmet':
        return outcome
      default:
        throw unexpected(outcome)
    }
  }

  async post(posting: Posting): Promise<PostingOutcome> {
    if (this.#closed !== null) throw new StorageUnavailable('the database is closed')
    if (Poster.takes(posting)) return this.#requests.post(posting)
    this.#mustBeThere()
    const outcome = await this.#units.post(posting)
    switch (outcome.kind) {
      case 'posted':
      case 'already-posted':
      case 'no-account':
      case 'unmet':
        return outcome
      case 'duplicate':
        return { kind: 'already-posted' }
      default:
        throw unexpected(outcome)
    }
  }

  onPostedLater(listener: PostedLaterListener): void {
    this.#requests.onPostedLater(listener)
  }

  isAvailable(): boolean {
    return this.#watch.state === 'serving'
  }

  async #recover(): Promise<void> {
    this.#connections.reopen()
    try {
      await this.replay()
    } catch (error) {
      this.#connections.shut()
      throw error
    }
  }

  /** Posts what was deferred, by this process or by earlier ones. */
  async replay(): Promise<void> {
    const replayed = await this.#requests.replay()
    if (replayed.postings > 0 || replayed.kept.length > 0) this.#report({ kind: 'replayed', ...replayed })
  }

  async runAlone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    // The lock is the connection's: it goes with the node that holds it.
    const session = new Session(() => this.#connections.config('locks'))
    try {
      const run = await session.open()
      await run({ text: 'select pg_advisory_lock(716400, hashtext($1))', values: [name] })
      return await work()
    } finally {
      await session.close()
    }
  }

  async ping(): Promise<void> {
    this.#mustBeThere()
    if (this.#watch.state === 'unknown') throw new StorageUnavailable('the schema is of a newer version')
    await Promise.all([this.db.selectFrom('settings').select('name').limit(1).execute(), this.commit([])])
  }

  #mustBeThere(): void {
    if (this.#closed !== null) throw new StorageUnavailable('the database is closed')
    if (this.#watch.state === 'away') throw new StorageUnavailable('the database does not answer')
  }

  close(): Promise<void> {
    this.#closed ??= this.#drainAndClose()
    return this.#closed
  }

  async #drainAndClose(): Promise<void> {
    await Promise.all([this.#poster.drain(), this.#units.drain()])
    await this.#watch.stop()
    const closing = [
      ...this.#sessions.map(session => session.close()),
      ...this.#pools.map(pool => pool.end()),
    ]
    // A server that has stopped answering does not say goodbye either.
    await withPatience(Promise.allSettled(closing), GOODBYE_MS).catch(() => {})
    this.#connections.shut()
    await this.#deferred.close()
  }
}

function unexpected(outcome: UnitOutcome): StorageUnavailable {
  return new StorageUnavailable(`the database answered '${outcome.kind}'`)
}
