import type { DeferredPostings, Replayed } from '../deferred/deferred-postings.ts'
import type { DeferrablePosting } from '../deferred/record-line.ts'
import type { PostedLaterListener, Posting, PostingOutcome } from '../storage.ts'
import { isRefusedForGood, reasonOf, toUnavailable } from './faults.ts'
import type { Poster } from './poster.ts'

export type DeferringPosterParts = {
  readonly poster: Poster
  readonly deferred: DeferredPostings
  readonly isAway: () => boolean
  /** Nothing is to be served until what was deferred is posted. */
  readonly declareAway: (reason: string) => void
}

/** Posts what is charged and recorded of requests; where the store can't take it now, this node's disk does. */
export class DeferringPoster {
  readonly #parts: DeferringPosterParts
  readonly #listeners: PostedLaterListener[] = []

  constructor(parts: DeferringPosterParts) {
    this.#parts = parts
  }

  onPostedLater(listener: PostedLaterListener): void {
    this.#listeners.push(listener)
  }

  async post(posting: Posting): Promise<PostingOutcome> {
    if (this.#parts.isAway()) return this.#defer(posting, 'the database does not answer')
    try {
      return await this.#parts.poster.submit(posting)
    } catch (error) {
      if (isRefusedForGood(error)) throw toUnavailable(error)
      return this.#defer(posting, reasonOf(error))
    }
  }

  /** Posts what was deferred. Throws when the store is away again. */
  replay(): Promise<Replayed> {
    return this.#parts.deferred.replay(posting => this.#makeLate(posting))
  }

  async #defer(posting: Posting, reason: string): Promise<PostingOutcome> {
    try {
      await this.#parts.deferred.append(posting)
    } catch (error) {
      throw toUnavailable(error)
    }
    this.#parts.declareAway(reason)
    return { kind: 'deferred' }
  }

  async #makeLate(posting: DeferrablePosting): Promise<boolean> {
    try {
      const outcome = await this.#parts.poster.submit(posting)
      if (outcome.kind === 'posted') {
        for (const listener of this.#listeners) listener(posting.accountId, outcome.balance)
      }
      return outcome.kind === 'posted' || outcome.kind === 'already-posted'
    } catch (error) {
      if (isRefusedForGood(error)) return false
      throw error
    }
  }
}
