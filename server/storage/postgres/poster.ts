import type { Posting, PostingOutcome } from '../storage.ts'
import { isDuplicate, isPassing, isRefusedForGood, toUnavailable } from './faults.ts'
import { post, postTogether } from './post.ts'
import { type RunQuery, runAll, type Session } from './session.ts'

type Waiting = {
  readonly posting: Posting
  readonly resolve: (outcome: PostingOutcome) => void
  readonly reject: (error: Error) => void
}

/** Beyond this a batch hardly gets cheaper by the posting, and the first of it waits for the last. */
const MAX_POSTINGS_IN_BATCH = 128
/** A batch is keyed by its requests, so that asking again after a lost answer does nothing twice. */
const MAX_TRIES = 3

/**
 * Commits what is charged and recorded of requests, in batches over one connection. Whatever is submitted while a batch is
 * being committed goes out together with the next.
 */
export class Poster {
  readonly #session: Session
  readonly #mayTryAgain: (error: unknown) => boolean
  #waiting: Waiting[] = []
  #isSending = false

  constructor(session: Session, mayTryAgain: (error: unknown) => boolean) {
    this.#session = session
    this.#mayTryAgain = mayTryAgain
  }

  /** Whether `submit` takes it: postings with further statements, and those that allocate, are units of their own. */
  static takes({ request, entry, also = [] }: Posting): boolean {
    return request !== null && also.length === 0 && (entry === null || entry.kind === 'charge')
  }

  submit(posting: Posting): Promise<PostingOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ posting, resolve, reject })
      this.#schedule()
    })
  }

  /** Resolves when everything that was submitted has its outcome. */
  async drain(): Promise<void> {
    while (this.#isSending || this.#waiting.length > 0) {
      await new Promise(resolve => setImmediate(resolve))
    }
  }

  #schedule(): void {
    if (this.#isSending || this.#waiting.length === 0) return
    this.#isSending = true
    // Everything that this turn of the event loop submits belongs to one moment.
    setImmediate(() => void this.#send(this.#takeBatch()))
  }

  /** The oldest postings, each request once: the same one again has to find the first on record. */
  #takeBatch(): Waiting[] {
    const requests = new Set<string | undefined>()
    const batch: Waiting[] = []
    const later: Waiting[] = []
    for (const waiting of this.#waiting) {
      const id = waiting.posting.request?.id
      if (batch.length === MAX_POSTINGS_IN_BATCH || requests.has(id)) later.push(waiting)
      else batch.push(waiting)
      requests.add(id)
    }
    this.#waiting = later
    return batch
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#commit(batch.map(({ posting }) => posting))
      for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index])
    } finally {
      this.#isSending = false
      this.#schedule()
    }
  }

  /** Commits all, or else each by itself, so that none suffers for another. */
  async #commit(postings: readonly Posting[]): Promise<readonly (PostingOutcome | Error)[]> {
    try {
      return await this.#tryToPost(postings)
    } catch (error) {
      // The record of a request may have been deleted since: the ledger still remembers its charge.
      if (postings.length === 1 && isDuplicate(error)) return [{ kind: 'already-posted' }]
      if (postings.length === 1 || !isRefusedForGood(error)) return postings.map(() => toUnavailable(error))
      const outcomes: (PostingOutcome | Error)[] = []
      for (const posting of postings) outcomes.push(...(await this.#commit([posting])))
      return outcomes
    }
  }

  async #tryToPost(postings: readonly Posting[]): Promise<readonly PostingOutcome[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        const run = await this.#session.open()
        return (await postTogether(run, postings)) ?? (await postRest(run, postings))
      } catch (error) {
        const again = isPassing(error) || this.#mayTryAgain(error)
        if (attempt === MAX_TRIES || !again) throw error
      }
    }
  }
}

/** Makes those of the postings that are not on record yet; the others have nothing to add to any sum. */
async function postRest(run: RunQuery, postings: readonly Posting[]): Promise<readonly PostingOutcome[]> {
  const begun = run({ text: 'begin' })
  try {
    const posting = post(run, postings)
    await Promise.allSettled([begun, posting])
    await begun
    const { outcomes, rollUps } = await posting
    await runAll(run, [...rollUps, { text: 'commit' }])
    return outcomes
  } catch (error) {
    // Where the connection is lost, or the commit was refused, the server has done it by itself.
    run({ text: 'rollback' }).catch(() => {})
    throw error
  }
}

function settle({ resolve, reject }: Waiting, outcome: PostingOutcome | Error | undefined): void {
  if (outcome === undefined) reject(toUnavailable('the database gave no answer'))
  else if (outcome instanceof Error) reject(outcome)
  else resolve(outcome)
}
