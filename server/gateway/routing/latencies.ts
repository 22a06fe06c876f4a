import type { CatalogRoute } from '#domains/catalog/snapshot.ts'

/** How much of the newest measurement goes into what is remembered. */
const NEWEST_SHARE = 0.2

type Measured = { replyMs: number | null; streamMs: number | null }

/** How long routes take to answer of late: streams to their first event, all else to the end. Each node's own. */
export class Latencies {
  readonly #routes = new Map<string, Measured>()

  /** A weighted mean in milliseconds; null while nothing is known. */
  find({ id }: CatalogRoute, isStream: boolean): number | null {
    const measured = this.#routes.get(id)
    return (isStream ? measured?.streamMs : measured?.replyMs) ?? null
  }

  note({ id }: CatalogRoute, isStream: boolean, tookMs: number): void {
    const measured = this.#routes.get(id) ?? { replyMs: null, streamMs: null }
    this.#routes.set(id, measured)
    if (isStream) measured.streamMs = mean(measured.streamMs, tookMs)
    else measured.replyMs = mean(measured.replyMs, tookMs)
  }
}

function mean(before: number | null, newest: number): number {
  return before === null ? newest : before + (newest - before) * NEWEST_SHARE
}
