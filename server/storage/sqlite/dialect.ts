import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/** Runs one compiled query somewhere else and brings back its rows. */
export type RunQuery = (query: CompiledQuery) => Promise<{ rows: unknown[]; changes: number }>

/**
 * SQLite for Kysely where the database lives in another thread. A transaction begins and ends only on a connection
 * that only reads: writes go through `Storage.commit`, whose units never wait for the event loop half-way.
 */
export function remoteSqliteDialect(run: RunQuery, options: { readonly transactions: boolean }): Dialect {
  return {
    createAdapter: () => (options.transactions ? new SqliteAdapter() : new ConcurrentSqliteAdapter()),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: db => new SqliteIntrospector(db),
    createDriver: () => new RemoteDriver(run, options.transactions),
  }
}

/** Without transactions no statement can fall into another's, so nothing needs to wait its turn on the event loop. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class RemoteDriver implements Driver {
  readonly #connection: DatabaseConnection
  readonly #transactions: boolean

  constructor(run: RunQuery, transactions: boolean) {
    this.#transactions = transactions
    this.#connection = {
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        const { rows, changes } = await run(query)
        // Kysely's own types say what the rows of this query look like; the engine returned them as they are.
        return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
      },
      // biome-ignore lint/correctness/useYield: the interface asks for a generator, and this one has nothing to give
      streamQuery: async function* () {
        throw new Error('Streaming is not offered: read in pages')
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (!this.#transactions) throw new Error('Write with Storage.commit; read together with Storage.snapshot')
    await connection.executeQuery(CompiledQuery.raw('begin'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
