const TICK_MS = 50

/**
 * Coarse time for time-outs: one timer for all connections instead of one for each request. It stands still while the
 * event loop is blocked, for then it is not the other side that is silent.
 */
export class PatientClock {
  /** Milliseconds since some moment; moves on every twentieth of a second. */
  nowMs = 0
  readonly #onTick: () => void
  #timer: NodeJS.Timeout | null = null
  #lastMs = 0

  /** `onTick` is called after each move, when what had arrived by then has been read. */
  constructor(onTick: () => void) {
    this.#onTick = onTick
  }

  start(): void {
    if (this.#timer) return
    this.#lastMs = performance.now()
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Whether more than the limit has passed since a moment; may be told up to two ticks late, never early. */
  hasPassed(limitMs: number, sinceMs: number): boolean {
    return this.nowMs - sinceMs >= limitMs + TICK_MS
  }

  #tick(): void {
    const nowMs = performance.now()
    this.nowMs += Math.min(nowMs - this.#lastMs, 2 * TICK_MS)
    this.#lastMs = nowMs
    setImmediate(this.#onTick)
  }
}
