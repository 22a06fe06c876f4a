import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Kysely, SelectQueryNode } from 'kysely'
import {
  type CommitOutcome,
  type Posting,
  type PostingOutcome,
  type ReadOnlyStorage,
  type Statement,
  type Storage,
  StorageUnavailable,
} from '../storage.ts'
import type { Tables } from '../tables.ts'
import { remoteSqliteDialect } from './dialect.ts'
import { packPosting, unpackPosted } from './posting.ts'
import type { SqlStatement, UnitOutcome } from './protocol.ts'
import { SqliteReader } from './reader.ts'
import { SqliteWriter } from './writer.ts'

/**
 * Opens the embedded store, made and migrated if need be. Three threads: one writes, one answers short reads, one
 * long ones. Throws one clear line when the file can't be used.
 */
export async function openSqliteStorage(path: string): Promise<Storage> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const writer = new SqliteWriter(path)
  await writer.opened()
  const reader = new SqliteReader(path)
  const reporter = new SqliteReader(path)
  await Promise.all([reader.opened(), reporter.opened()])
  return new SqliteStorage(writer, reader, reporter)
}

/**
 * Opens an existing store for reading alone, beside a service that may be writing to it. Throws one clear line when
 * there is none.
 */
export async function openSqliteForReading(path: string): Promise<ReadOnlyStorage> {
  const reader = new SqliteReader(path)
  await reader.opened()
  const reports = createReports(reader)
  return { snapshot: read => reports.transaction().execute(read), close: () => reader.close() }
}

/** Long reads and transactions over one connection: one at a time, the others wait in Kysely's own queue. */
function createReports(reader: SqliteReader): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: remoteSqliteDialect(query => reader.query(query.sql, query.parameters), { transactions: true }),
  })
}

class SqliteStorage implements Storage {
  readonly engine = 'sqlite'
  readonly db: Kysely<Tables>
  readonly reports: Kysely<Tables>
  readonly #writer: SqliteWriter
  readonly #reader: SqliteReader
  readonly #reporter: SqliteReader

  constructor(writer: SqliteWriter, reader: SqliteReader, reporter: SqliteReader) {
    this.#writer = writer
    this.#reader = reader
    this.#reporter = reporter
    this.db = new Kysely<Tables>({
      dialect: remoteSqliteDialect(
        query =>
          SelectQueryNode.is(query.query)
            ? reader.query(query.sql, query.parameters)
            : this.#writeQuery({ sql: query.sql, parameters: query.parameters }),
        { transactions: false },
      ),
    })
    this.reports = createReports(reporter)
  }

  async #writeQuery(statement: SqlStatement): Promise<{ rows: unknown[]; changes: number }> {
    const outcome = await this.#writer.submit({ kind: 'query', statement })
    if (outcome.kind === 'rows') return outcome
    throw unexpected(outcome)
  }

  snapshot<Result>(read: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    return this.reports.transaction().execute(read)
  }

  async commit(statements: readonly Statement[]): Promise<CommitOutcome> {
    const outcome = await this.#writer.submit({ kind: 'statements', statements: statements.map(compile) })
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

  post(posting: Posting): Promise<PostingOutcome> {
    const also = posting.also ? posting.also.map(compile) : []
    return this.#writer.submit(packPosting(posting, also)).then(outcome => toPostingOutcome(posting, outcome))
  }

  /** A store that is part of the process is never away while the process lives: nothing is deferred. */
  onPostedLater(): void {}

  isAvailable(): boolean {
    return this.#writer.isOpen
  }

  /** There is one node, and within it work is started once. */
  runAlone<Result>(_name: string, work: () => Promise<Result>): Promise<Result> {
    return work()
  }

  async ping(): Promise<void> {
    // Both ways: a store that can be read but not written to can take no charge.
    await Promise.all([this.#reader.query('select 1', []), this.commit([])])
  }

  async close(): Promise<void> {
    await Promise.all([this.#reader.close(), this.#reporter.close()])
    await this.#writer.close()
  }
}

function toPostingOutcome(posting: Posting, outcome: UnitOutcome): PostingOutcome {
  switch (outcome.kind) {
    case 'posted':
      return unpackPosted(posting, outcome.balance)
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

function compile({ query, expectRows }: Statement): SqlStatement {
  const { sql, parameters } = query.compile()
  return { sql, parameters, ...(expectRows === undefined ? {} : { expectRows }) }
}

function unexpected(outcome: UnitOutcome): StorageUnavailable {
  return new StorageUnavailable(`the database answered '${outcome.kind}'`)
}
