import { setTimeout as sleep } from 'node:timers/promises'

/** For each part of a long export that was made, so many times as long nothing of it is made. */
const PAUSE_FACTOR = 2
const SHORTEST_PAUSE_MS = 1

/**
 * The same batches, with pauses: an export of millions of lines may take its time, while the event loop and the store
 * have theirs for requests that somebody waits for.
 */
export async function* unhurried<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  let startedMs = performance.now()
  for await (const batch of batches) {
    yield batch
    const tookMs = performance.now() - startedMs
    await sleep(Math.max(SHORTEST_PAUSE_MS, Math.min(tookMs, 100) * PAUSE_FACTOR))
    startedMs = performance.now()
  }
}
