import type { CommitOutcome, Posting, PostingOutcome, Statement } from '../storage.ts'
import type { ConstraintNames } from './constraint-names.ts'
import { isDuplicate, isPassing, isReference, toUnavailable } from './faults.ts'
import { post } from './post.ts'
import { type RunQuery, runAll, type Session } from './session.ts'

/**
 * Any number that nothing else locks in this database. Units of all nodes go one after another, as they do on SQLite, so
 * that what the conditions of a unit see stays so until its commit. Charges take no part in it.
 */
const ONE_UNIT_AT_A_TIME = 'select pg_advisory_xact_lock(7164002985023417)'
const MAX_TRIES = 3

export type UnitOutcome = CommitOutcome | PostingOutcome

type Unit = (run: RunQuery) => Promise<UnitOutcome>

/** Thrown to undo a unit whose outcome is decided. */
class Undo extends Error {
  override readonly name = 'Undo'
  readonly outcome: Exclude<UnitOutcome, { kind: 'committed' | 'posted' }>
  constructor(outcome: Undo['outcome']) {
    super(outcome.kind)
    this.outcome = outcome
  }
}

/** Commits units of writes, one at a time, over one connection. */
export class UnitWriter {
  readonly #session: Session
  readonly #constraints: ConstraintNames
  readonly #mayTryAgain: (error: unknown) => boolean
  /** Ends when the newest unit that was submitted has its outcome. */
  #newest: Promise<unknown> = Promise.resolve()

  constructor(session: Session, constraints: ConstraintNames, mayTryAgain: (error: unknown) => boolean) {
    this.#session = session
    this.#constraints = constraints
    this.#mayTryAgain = mayTryAgain
  }

  commit(statements: readonly Statement[]): Promise<UnitOutcome> {
    return this.#inTurn(async run => ({
      kind: 'committed',
      rowsChanged: await runStatements(run, statements),
    }))
  }

  /** Commits a posting with its further statements. */
  post(posting: Posting): Promise<UnitOutcome> {
    return this.#inTurn(async run => {
      const { outcomes, rollUps } = await post(run, [posting])
      const [outcome] = outcomes
      if (outcome?.kind !== 'posted') throw new Undo(outcome ?? { kind: 'no-account' })
      await runAll(run, rollUps)
      await runStatements(run, posting.also ?? [])
      return outcome
    })
  }

  /** Resolves when everything that was submitted has its outcome. */
  async drain(): Promise<void> {
    for (let newest: unknown; newest !== this.#newest; ) {
      newest = this.#newest
      await this.#newest
    }
  }

  #inTurn(unit: Unit): Promise<UnitOutcome> {
    const outcome = this.#newest.then(() => this.#commitUnit(unit))
    this.#newest = outcome.catch(() => {})
    return outcome
  }

  async #commitUnit(unit: Unit): Promise<UnitOutcome> {
    for (let attempt = 1; ; attempt++) {
      // Once a commit was sent and its answer lost, nobody knows what became of it: it is not for us to do it twice.
      const progress = { isCommitting: false }
      try {
        return await this.#tryUnit(unit, progress)
      } catch (error) {
        if (error instanceof Undo) return error.outcome
        if (isDuplicate(error)) return { kind: 'duplicate', constraint: await this.#constraints.get(error) }
        if (isReference(error)) return { kind: 'reference' }
        const again = isPassing(error) || (!progress.isCommitting && this.#mayTryAgain(error))
        if (attempt === MAX_TRIES || !again) throw toUnavailable(error)
      }
    }
  }

  async #tryUnit(unit: Unit, progress: { isCommitting: boolean }): Promise<UnitOutcome> {
    const run = await this.#session.open()
    try {
      await runAll(run, [{ text: 'begin' }, { text: ONE_UNIT_AT_A_TIME }])
      const outcome = await unit(run)
      progress.isCommitting = true
      await run({ text: 'commit' })
      return outcome
    } catch (error) {
      // Where the connection is lost the server does it by itself.
      if (!progress.isCommitting) run({ text: 'rollback' }).catch(() => {})
      throw error
    }
  }
}

/** Sends all of them at once; gives how many rows each has changed. */
async function runStatements(run: RunQuery, statements: readonly Statement[]): Promise<number[]> {
  const sent = statements.map(({ query }) => {
    const { sql, parameters } = query.compile()
    return run({ text: sql, values: parameters })
  })
  await Promise.allSettled(sent)
  const rowsChanged: number[] = []
  for (const [index, { expectRows }] of statements.entries()) {
    // The first that failed is the reason why those behind it did.
    const rows = (await sent[index])?.rowCount ?? 0
    if (expectRows !== undefined && rows !== expectRows) throw new Undo({ kind: 'unmet', index })
    rowsChanged.push(rows)
  }
  return rowsChanged
}
