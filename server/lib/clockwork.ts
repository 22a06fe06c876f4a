/** Work that is done every so often, and whenever somebody wants it done: never twice at once. */
export type Clockwork = {
  /**
   * Does the work once more when every run before it has ended, and rejects when that fails. Each wish is a run of its
   * own, so what was to be done before the wish is surely done when it resolves.
   */
  run(): Promise<void>
  /** Does the work a last time, and no more by itself. */
  close(): Promise<void>
}

/**
 * Starts it: the first run is a while from now. Whoever waits for a run hears of its failure; of the failure of a run
 * that came by itself nobody does, so the work has to be something that the next run makes up for. It does not keep
 * the process alive. Where nobody waits for a certain run, `oneAtATime` makes one of many wishes.
 */
export function startClockwork(work: () => Promise<void>, everyMs: number): Clockwork {
  let last: Promise<void> = Promise.resolve()

  function run(): Promise<void> {
    last = last.catch(() => {}).then(work)
    return last
  }

  const timer = setInterval(() => run().catch(() => {}), everyMs).unref()

  return {
    run,
    close: () => {
      clearInterval(timer)
      return run()
    },
  }
}
