/** Notices silence without touching a timer for every piece: one timer, looked at again when it fires. */
export class IdleWatch {
  readonly #onSilence: () => void
  #limitMs: number
  #lastHeardMs: number
  #timer: NodeJS.Timeout
  #paused = false

  constructor(limitMs: number, onSilence: () => void) {
    this.#limitMs = limitMs
    this.#onSilence = onSilence
    this.#lastHeardMs = performance.now()
    this.#timer = setTimeout(() => this.#check(), limitMs)
  }

  heard(): void {
    this.#lastHeardMs = performance.now()
  }

  /** From now on, silence is measured against another limit. */
  setLimit(limitMs: number): void {
    this.heard()
    if (limitMs === this.#limitMs) return
    this.#limitMs = limitMs
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#check(), limitMs)
  }

  /** While paused, silence is our own doing and does not count. */
  setPaused(paused: boolean): void {
    this.#paused = paused
    this.heard()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #check(): void {
    const silentMs = this.#paused ? 0 : performance.now() - this.#lastHeardMs
    // Timers may fire a fraction of a millisecond early.
    if (silentMs >= this.#limitMs - 1) this.#onSilence()
    else this.#timer = setTimeout(() => this.#check(), this.#limitMs - silentMs)
  }
}
