import { randomInt } from 'node:crypto'
import { RollUp } from '../roll-ups/roll-up.ts'
import type { Posting, PostingOutcome } from '../storage.ts'
import { postingQuery, readPosted } from './posting-query.ts'
import { rollUpQueries } from './roll-up-queries.ts'
import type { RunQuery, SessionQuery } from './session.ts'

/**
 * Nodes sum up what all accounts used in rows of their own, or else each would wait for the commits of the others. Two
 * that draw the same number do wait, and are right all the same.
 */
const SHARD = randomInt(64)

export type Posted = {
  /** In the order of the postings. */
  readonly outcomes: readonly PostingOutcome[]
  /** To be run in the same transaction. */
  readonly rollUps: readonly SessionQuery[]
}

/** Makes the postings inside the transaction that is open. */
export async function post(run: RunQuery, postings: readonly Posting[]): Promise<Posted> {
  const outcomes = readPosted(postings, await run(postingQuery(postings)))
  const rollUp = new RollUp(SHARD)
  for (const [index, { request }] of postings.entries()) {
    if (request && outcomes[index]?.kind === 'posted') rollUp.add(request)
  }
  return { outcomes, rollUps: rollUpQueries(rollUp) }
}
