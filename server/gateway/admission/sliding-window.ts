/**
 * Counts requests in a sliding window with 61 counters, however large the limit. The window is cut into 60 parts; a
 * request is counted in the part it falls in, and a part is let go only when all of it has left the window. So no
 * window of that length ever holds more than the limit, and a place is free again at the latest 1/60 of the window
 * after it should be.
 */
const PARTS = 60
const COUNTERS = PARTS + 1

export class SlidingWindow {
  readonly windowMs: number
  readonly #counts = new Float64Array(COUNTERS)
  /** The newest part that has been counted in. */
  #newest: number
  #total = 0

  constructor(windowMs: number, nowMs: number) {
    this.windowMs = windowMs
    this.#newest = this.#partAt(nowMs)
  }

  /** How many requests count at this moment. */
  countAt(nowMs: number): number {
    this.#advance(nowMs)
    return this.#total
  }

  /** Counts one more request at this moment. */
  add(nowMs: number): void {
    this.#advance(nowMs)
    this.#change(this.#newest, 1)
  }

  /** Milliseconds until the oldest counted requests are let go; 0 when none is counted. */
  msUntilNextFree(nowMs: number): number {
    this.#advance(nowMs)
    if (this.#total === 0) return 0
    for (let part = this.#newest - PARTS; part <= this.#newest; part++) {
      if (this.#countOf(part) > 0) return this.#beginsAtMs(part + COUNTERS) - nowMs
    }
    return 0
  }

  /**
   * The same requests counted in a window of another length. Each is taken to be as young as it can be, so the new
   * window never holds too few.
   */
  resized(windowMs: number, nowMs: number): SlidingWindow {
    this.#advance(nowMs)
    const resized = new SlidingWindow(windowMs, nowMs)
    for (let part = this.#newest - PARTS; part <= this.#newest; part++) {
      const count = this.#countOf(part)
      if (count === 0) continue
      const youngestMs = Math.min(this.#beginsAtMs(part + 1), nowMs)
      const newPart = resized.#partAt(youngestMs)
      if (newPart >= resized.#newest - PARTS) resized.#change(newPart, count)
    }
    return resized
  }

  /** Multiplied before it is divided: the length of a part need not be whole. */
  #partAt(ms: number): number {
    return Math.floor((ms * PARTS) / this.windowMs)
  }

  #beginsAtMs(part: number): number {
    return (part * this.windowMs) / PARTS
  }

  #countOf(part: number): number {
    return this.#counts[((part % COUNTERS) + COUNTERS) % COUNTERS] ?? 0
  }

  #change(part: number, by: number): void {
    const index = ((part % COUNTERS) + COUNTERS) % COUNTERS
    this.#counts[index] = (this.#counts[index] ?? 0) + by
    this.#total += by
  }

  #advance(nowMs: number): void {
    const current = this.#partAt(nowMs)
    if (current <= this.#newest) return
    const passed = Math.min(current - this.#newest, COUNTERS)
    for (let step = 1; step <= passed; step++) {
      const part = current - passed + step
      this.#change(part, -this.#countOf(part))
    }
    this.#newest = current
  }
}
