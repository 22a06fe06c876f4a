import type { SqliteConnection } from './connection.ts'
import type { SqlStatement } from './protocol.ts'

/** Thrown to undo a unit one of whose statements changed another number of rows than it expected. */
export class UnmetExpectation extends Error {
  override readonly name = 'UnmetExpectation'
  readonly index: number
  constructor(index: number) {
    super(`statement ${index} changed another number of rows than expected`)
    this.index = index
  }
}

/** Runs the statements inside the transaction that is open; gives how many rows each has changed. */
export function runStatements(connection: SqliteConnection, statements: readonly SqlStatement[]): number[] {
  return statements.map((statement, index) => {
    const { changes } = connection.query(statement.sql, statement.parameters)
    if (statement.expectRows !== undefined && changes !== statement.expectRows)
      throw new UnmetExpectation(index)
    return changes
  })
}
