import type { ReportedUsage } from '#gateway/metering/usage.ts'
import { joinAdjacent } from '#lib/join-adjacent.ts'
import type { StreamReader } from './answer-protocol.ts'

/**
 * Reads an answer that is bytes and nothing else, such as audio, as it passes. Only the end of the connection tells that
 * it is whole, so the latest piece is always held back: a client that holds all of it must find it on the ledger.
 */
export class BytesReader implements StreamReader {
  #out: Buffer[] = []
  #latest: Buffer | null = null

  readonly usage: ReportedUsage | null = null
  readonly outputText = ''
  hasContent = false
  readonly isComplete = false
  readonly isDone = false
  readonly failure = null

  get hasBegun(): boolean {
    return this.#latest !== null
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.#latest !== null) {
      this.#out.push(this.#latest)
      this.hasContent = true
    }
    this.#latest = bytes
  }

  takeOutput(): Buffer {
    const out = this.#out
    this.#out = []
    return joinAdjacent(out)
  }

  end(hasEndedWell: boolean): Buffer | null {
    return hasEndedWell ? this.#latest : null
  }
}
