import { randomInt } from 'node:crypto'
import { RollUp } from '../roll-ups/roll-up.ts'
import type { Posting, PostingOutcome } from '../storage.ts'
import { isLeftOut, postingQuery, readPosted } from './posting-query.ts'
import { rollUpQueries } from './roll-up-queries.ts'
import { type RunQuery, runAll, type SessionQuery } from './session.ts'

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
  const rollUps = rollUpQueries(sumUp(postings.filter((_, index) => outcomes[index]?.kind === 'posted')))
  return { outcomes, rollUps }
}

/**
 * Makes the postings in a transaction of their own, all or none, without a word from here in between: the locks on their
 * accounts are held for as long as the server works and writes, and not a round trip longer. Resolves with null when
 * nothing was posted because one of them is on record already or has no account.
 */
export async function postTogether(
  run: RunQuery,
  postings: readonly Posting[],
): Promise<readonly PostingOutcome[] | null> {
  const queries = [
    { text: 'begin' },
    postingQuery(postings, { allOrNone: true }),
    ...rollUpQueries(sumUp(postings)),
    // After an error it is a rollback.
    { text: 'commit' },
  ]
  try {
    const [, posted] = await runAll(run, queries)
    return posted ? readPosted(postings, posted) : null
  } catch (error) {
    if (isLeftOut(error)) return null
    // Had something kept the commit from being sent, the next would take along what was posted here.
    run({ text: 'rollback' }).catch(() => {})
    throw error
  }
}

function sumUp(postings: readonly Posting[]): RollUp {
  const rollUp = new RollUp(SHARD)
  for (const { request } of postings) if (request) rollUp.add(request)
  return rollUp
}
