/** Work that nobody waits for, until the end of the process. */
export type Background = {
  /** Begins the work; a failure of it is told to `onFailure` of the background. */
  run(work: () => Promise<unknown>): void
  /** Resolves when all work that was begun has ended. */
  settled(): Promise<void>
}

export function createBackground(onFailure: (error: unknown) => void): Background {
  const running = new Set<Promise<void>>()
  return {
    run: work => {
      const ended = work()
        .then(() => {}, onFailure)
        .finally(() => running.delete(ended))
      running.add(ended)
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
