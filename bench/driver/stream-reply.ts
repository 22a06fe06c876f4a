import type { ReplySink } from './reply-parser.ts'

const STAMP_MARK = '"content":"@'
const STAMP_DIGITS = 16

export type StreamWatcher = {
  /** A piece of content has come; `sentMicros` is when the upstream sent it. */
  onChunk(sentMicros: number, isFirst: boolean): void
  /** The stream came to its proper end. */
  onWhole(): void
}

/**
 * Checks a stream event by event: so many pieces of content, then one finish reason, one usage, `[DONE]`, and
 * nothing else.
 */
export class StreamReply implements ReplySink {
  #chunksExpected: number
  #watcher: StreamWatcher
  #status = 0
  #kept = ''
  #chunks = 0
  #endings: string[] = []

  constructor(chunksExpected: number, watcher: StreamWatcher) {
    this.#chunksExpected = chunksExpected
    this.#watcher = watcher
  }

  onHead(status: number): void {
    this.#status = status
  }

  onBody(bytes: Buffer): void {
    const text = this.#kept + bytes.toString('latin1')
    if (this.#status !== 200) {
      this.#kept = text
      return
    }
    let at = 0
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', at)) {
      this.#readEvent(text.slice(at, end))
      at = end + 2
    }
    this.#kept = at === text.length ? '' : text.slice(at)
  }

  #readEvent(event: string): void {
    const stamp = event.indexOf(STAMP_MARK)
    if (stamp >= 0 && this.#endings.length === 0) {
      const from = stamp + STAMP_MARK.length
      this.#chunks += 1
      this.#watcher.onChunk(Number(event.slice(from, from + STAMP_DIGITS)), this.#chunks === 1)
    } else if (!event.startsWith(':') && !isOpening(event)) {
      this.#endings.push(nameOfEnding(event))
    }
  }

  onEnd(): void {
    if (this.#status !== 200) throw new Error(`status ${this.#status}: ${this.#kept.slice(0, 300)}`)
    const endings = this.#endings.join(', ')
    if (this.#chunks !== this.#chunksExpected || endings !== 'finish, usage, done' || this.#kept !== '') {
      throw new Error(
        `a stream of ${this.#chunks}/${this.#chunksExpected} chunks that ended in: ${endings}${this.#kept}`,
      )
    }
    this.#watcher.onWhole()
  }
}

/** A translated stream begins with a piece that says whose answer it is, and nothing else. */
function isOpening(event: string): boolean {
  return event.includes('"delta":{"role":"assistant","content":""')
}

function nameOfEnding(event: string): string {
  if (event === 'data: [DONE]') return 'done'
  if (event.includes('"finish_reason":"stop"')) return 'finish'
  if (event.includes('"usage":{')) return 'usage'
  return event.slice(0, 300)
}
