/** A task that is run again and again, and never twice at once. */
export type OneAtATime = {
  /**
   * Asks for a run that begins no earlier than now. Any number of wishes during a run are met by one run after it:
   * the run under way may have read what came before the change that a wish is about.
   */
  start(): void
  isRunning(): boolean
  /** Resolves when every run that was asked for up to now has ended. */
  settled(): Promise<void>
}

/** Makes one of a task that never rejects. */
export function oneAtATime(task: () => Promise<void>): OneAtATime {
  let running = false
  let again = false
  let ended: Promise<void> = Promise.resolve()

  async function runAll(): Promise<void> {
    running = true
    try {
      do {
        again = false
        await task()
      } while (again)
    } finally {
      running = false
    }
  }

  return {
    start: () => {
      if (running) again = true
      else ended = runAll()
    },
    isRunning: () => running,
    settled: () => ended,
  }
}
