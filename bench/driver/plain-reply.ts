import type { ReplySink } from './reply-parser.ts'

const EXCERPT_BYTES = 300

/** Checks a reply that is not streamed: status 200, and a body as long as it has to be. */
export class PlainReply implements ReplySink {
  #expectedBytes: number
  #onWhole: () => void
  #status = 0
  #bytes = 0
  #excerpt = ''

  constructor(expectedBytes: number, onWhole: () => void) {
    this.#expectedBytes = expectedBytes
    this.#onWhole = onWhole
  }

  onHead(status: number): void {
    this.#status = status
    this.#bytes = 0
    this.#excerpt = ''
  }

  onBody(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.#status !== 200) this.#excerpt += bytes.toString('utf8', 0, EXCERPT_BYTES)
  }

  onEnd(): void {
    if (this.#status !== 200)
      throw new Error(`status ${this.#status}: ${this.#excerpt.slice(0, EXCERPT_BYTES)}`)
    if (this.#bytes !== this.#expectedBytes) {
      throw new Error(`a body of ${this.#bytes} bytes instead of ${this.#expectedBytes}`)
    }
    this.#onWhole()
  }
}
