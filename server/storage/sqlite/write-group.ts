import { ChargedRows, isRecorded } from './charged-rows.ts'
import type { SqliteConnection } from './connection.ts'
import { OpenBalances } from './open-balances.ts'
import { MissingAccount, postLedger } from './post-ledger.ts'
import { toRolledUpRequest } from './posting.ts'
import type { UnitOutcome, WriteUnit } from './protocol.ts'
import { runStatements, UnmetExpectation } from './run-statements.ts'
import { createRollUp, writeRollUps } from './write-roll-ups.ts'

/** SQLite's extended result codes for the constraints that callers tell apart: https://sqlite.org/rescode.html */
const SQLITE_CONSTRAINT_FOREIGNKEY = 787
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067
/** A foreign key with ON DELETE RESTRICT, or one checked at the end of the statement, may say this instead. */
const SQLITE_CONSTRAINT_TRIGGER = 1811

/** The writer's place was not to be had: whoever holds it would hold up every unit by itself just as long. */
class NotBegun extends Error {
  override readonly name = 'NotBegun'
}

/**
 * Commits all units of one moment with one transaction. The hopeful way first: every unit in one go. If one of them
 * fails, everything is rolled back and each unit gets a transaction of its own, so that none suffers for another.
 */
export function writeGroup(connection: SqliteConnection, units: readonly WriteUnit[]): UnitOutcome[] {
  try {
    return inTransaction(connection, () => runUnits(connection, units))
  } catch (error) {
    if (units.length === 1 || error instanceof NotBegun) return units.map(() => toOutcome(error))
    return units.map(unit => writeAlone(connection, unit))
  }
}

function writeAlone(connection: SqliteConnection, unit: WriteUnit): UnitOutcome {
  try {
    const [outcome] = inTransaction(connection, () => runUnits(connection, [unit]))
    return outcome ?? { kind: 'fault', message: 'the database gave no answer' }
  } catch (error) {
    return toOutcome(error)
  }
}

/** Runs the units, then adds all that they put on record to the roll-ups, each of which is written once. */
function runUnits(connection: SqliteConnection, units: readonly WriteUnit[]): UnitOutcome[] {
  const rollUp = createRollUp()
  const balances = new OpenBalances(connection)
  const charged = new ChargedRows(connection, balances)
  const run = (unit: WriteUnit): UnitOutcome => {
    if (units.length > 1 && isRecorded(unit)) return charged.add(unit)
    // Whatever these do has to meet everything before it as it is.
    charged.write()
    return runUnit(connection, balances, unit)
  }
  const outcomes = units.map(unit => {
    const outcome = run(unit)
    if (unit.kind === 'posting' && outcome.kind === 'posted' && unit.requestValues) {
      rollUp.add(toRolledUpRequest(unit.requestValues))
    }
    return outcome
  })
  charged.write()
  balances.write()
  writeRollUps(connection, rollUp)
  return outcomes
}

function inTransaction<Result>(connection: SqliteConnection, run: () => Result): Result {
  begin(connection)
  try {
    const result = run()
    connection.query('commit', [])
    return result
  } catch (error) {
    // After some faults (a full disk) SQLite has rolled back by itself and there is nothing left to undo.
    if (connection.database.isTransaction) connection.query('rollback', [])
    throw error
  }
}

function begin(connection: SqliteConnection): void {
  try {
    connection.query('begin immediate', [])
  } catch (error) {
    throw new NotBegun(error instanceof Error ? error.message : String(error))
  }
}

function runUnit(connection: SqliteConnection, balances: OpenBalances, unit: WriteUnit): UnitOutcome {
  if (unit.kind === 'posting') return postLedger(connection, balances, unit)
  // Whatever these do to an account has to meet it as it is.
  balances.write()
  switch (unit.kind) {
    case 'statements':
      return { kind: 'committed', rowsChanged: runStatements(connection, unit.statements) }
    case 'query': {
      const { rows, changes } = connection.query(unit.statement.sql, unit.statement.parameters)
      return { kind: 'rows', rows, changes }
    }
  }
}

function toOutcome(error: unknown): UnitOutcome {
  if (error instanceof UnmetExpectation) return { kind: 'unmet', index: error.index }
  if (error instanceof MissingAccount) return { kind: 'no-account' }
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  if (code === SQLITE_CONSTRAINT_UNIQUE || code === SQLITE_CONSTRAINT_PRIMARYKEY) {
    return { kind: 'duplicate', constraint: message.replace(/^.*failed: /, '') }
  }
  if (code === SQLITE_CONSTRAINT_FOREIGNKEY || code === SQLITE_CONSTRAINT_TRIGGER) {
    // A trigger of ours that refuses a change has a message of its own: that is a defect, not a missing row.
    return /FOREIGN KEY/.test(message) ? { kind: 'reference' } : { kind: 'fault', message }
  }
  return { kind: 'fault', message }
}
