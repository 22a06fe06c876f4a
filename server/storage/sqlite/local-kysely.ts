import { Kysely, SqliteDialect } from 'kysely'
import type { SqliteConnection } from './connection.ts'

/** Kysely over a connection of this very thread, which it leaves open. */
export function localKysely<Schema>(connection: SqliteConnection): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: new SqliteDialect({
      database: {
        close: () => {},
        prepare: sql => ({
          reader: connection.prepare(sql).returnsRows,
          all: parameters => connection.query(sql, parameters).rows,
          run: parameters => ({ changes: connection.query(sql, parameters).changes, lastInsertRowid: 0 }),
          iterate: parameters => connection.query(sql, parameters).rows[Symbol.iterator](),
        }),
      },
    }),
  })
}
