import type { Clock } from '#lib/clock.ts'

/** After this nobody waits for an answer any more, with room for what is not known of the server's clock. */
const PATIENCE_MS = 2_000

/**
 * What the clock of the Redis server shows, as far as its answers tell. A question carries the moment up to which it is
 * meant: one that lay in a server that hung, or on a line that was cut, is not acted upon when nobody asks any more.
 */
export class ServerClock {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  #aheadMs: number | null = null

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** An answer says how late it was on the server a moment ago: of all answers, the quickest is the most exact. */
  heard(serverMs: number): void {
    const aheadMs = serverMs - this.#clock.monotonicMs()
    if (this.#aheadMs === null || aheadMs > this.#aheadMs) this.#aheadMs = aheadMs
  }

  /** Begins anew with this answer: the clock may have been set, or it may be another server's. */
  set(serverMs: number): void {
    this.#aheadMs = serverMs - this.#clock.monotonicMs()
  }

  /** From now on nothing is known. */
  forget(): void {
    this.#aheadMs = null
  }

  /** The moment up to which a question of now is meant; empty while nothing is known. */
  deadline(): number | '' {
    return this.#aheadMs === null ? '' : Math.ceil(this.#clock.monotonicMs() + this.#aheadMs + PATIENCE_MS)
  }
}
