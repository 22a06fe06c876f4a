import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { hasLostConnection, toUnavailable } from './faults.ts'
import { bindParameters } from './parameters.ts'
import { readRows, type TextResult } from './read-rows.ts'

/** Told of every failure that the server had no part in: it may be gone. */
export type OnLost = (error: unknown) => void

/** Postgres for Kysely, with values bound and read as by the other engine, and faults as callers expect them. */
export function postgresDialect(pool: Pool, onLost: OnLost): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: db => new PostgresIntrospector(db),
    createDriver: () => new PoolDriver(pool, onLost),
  }
}

class PoolDriver implements Driver {
  readonly #pool: Pool
  readonly #onLost: OnLost

  constructor(pool: Pool, onLost: OnLost) {
    this.#pool = pool
    this.#onLost = onLost
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PooledConnection> {
    try {
      return new PooledConnection(await this.#pool.connect(), this.#onLost)
    } catch (error) {
      this.#onLost(error)
      throw toUnavailable(error)
    }
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel = 'read committed', accessMode = 'read write' }: TransactionSettings,
  ): Promise<void> {
    const begin = `start transaction isolation level ${isolationLevel} ${accessMode}`
    await connection.executeQuery(CompiledQuery.raw(begin))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(connection: PooledConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

class PooledConnection implements DatabaseConnection {
  readonly #client: PoolClient
  readonly #onLost: OnLost
  /** The answer to an earlier statement may still be on its way, and would be taken for that of the next. */
  #isLost = false

  constructor(client: PoolClient, onLost: OnLost) {
    this.#client = client
    this.#onLost = onLost
    client.on('error', this.#lose)
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const values = bindParameters(parameters)
      const result: TextResult = await this.#client.query({ text: sql, values, rowMode: 'array' })
      const isChange = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(result.command)
      return {
        // Kysely's own types say what the rows of this query look like; the server returned them as they are.
        rows: readRows(result) as Row[],
        ...(isChange ? { numAffectedRows: BigInt(result.rowCount ?? 0) } : {}),
      }
    } catch (error) {
      if (hasLostConnection(error)) this.#lose(error)
      throw toUnavailable(error)
    }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator, and this one has nothing to give
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Streaming is not offered: read in pages')
  }

  release(): void {
    this.#client.off('error', this.#lose)
    this.#client.release(this.#isLost)
  }

  #lose = (error: unknown): void => {
    this.#isLost = true
    this.#onLost(error)
  }
}
