import type { Clock } from '#lib/clock.ts'

/** After this nobody waits for an answer any more, with room for what is not known of the server's clock. */
const PATIENCE_MS = 2_000
/** What was heard counts for one to two of these. */
const PERIOD_MS = 60_000
const NOTHING = Number.NEGATIVE_INFINITY

/**
 * What the clock of the Redis server shows, as far as its answers tell. A question carries the moment up to which it is
 * meant: one that lay in a server that hung, or on a line that was cut, is not acted upon when nobody asks any more.
 */
export class ServerClock {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  #periodBeganMs = NOTHING
  /** How far the server's clock is ahead of this process's, by the best of the period's answers, and the last one's. */
  #aheadMs = NOTHING
  #aheadBeforeMs = NOTHING

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** An answer says how late it was on the server a moment ago: of all answers, the quickest is the most exact. */
  heard(serverMs: number): void {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#periodBeganMs >= PERIOD_MS) {
      this.#periodBeganMs = nowMs
      this.#aheadBeforeMs = this.#aheadMs
      this.#aheadMs = NOTHING
    }
    this.#aheadMs = Math.max(this.#aheadMs, serverMs - nowMs)
  }

  /** From now on nothing is known: it is another server's clock, or it was set. */
  forget(): void {
    this.#periodBeganMs = NOTHING
    this.#aheadMs = NOTHING
    this.#aheadBeforeMs = NOTHING
  }

  /** The moment up to which a question of now is meant; empty while nothing is known. */
  deadline(): number | '' {
    const aheadMs = Math.max(this.#aheadMs, this.#aheadBeforeMs)
    return aheadMs === NOTHING ? '' : Math.ceil(this.#clock.monotonicMs() + aheadMs + PATIENCE_MS)
  }
}
