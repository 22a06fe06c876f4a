import type { Dialect } from './dialects.ts'
import type { ReplySink } from './reply-parser.ts'

const STAMP_DIGITS = 16

export type StreamWatcher = {
  /** A piece of content has come; `sentMicros` is when the upstream sent it. */
  onChunk(sentMicros: number, isFirst: boolean): void
  /** The stream came to its proper end. */
  onWhole(): void
}

export type ExpectedStream = { readonly dialect: Dialect; readonly chunks: number }

/** Checks a stream event by event: so many pieces of content, then what ends it in its dialect, and nothing else. */
export class StreamReply implements ReplySink {
  #expected: ExpectedStream
  #watcher: StreamWatcher
  #status = 0
  #kept = ''
  #chunks = 0
  #endings: string[] = []

  constructor(expected: ExpectedStream, watcher: StreamWatcher) {
    this.#expected = expected
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
    const { stampMark, openings, nameOf } = this.#expected.dialect
    const stamp = event.indexOf(stampMark)
    if (stamp >= 0 && this.#endings.length === 0) {
      const from = stamp + stampMark.length
      this.#chunks += 1
      this.#watcher.onChunk(Number(event.slice(from, from + STAMP_DIGITS)), this.#chunks === 1)
    } else if (!event.startsWith(':')) {
      const name = nameOf(event)
      if (!openings.includes(name)) this.#endings.push(name)
    }
  }

  onEnd(): void {
    if (this.#status !== 200) throw new Error(`status ${this.#status}: ${this.#kept.slice(0, 300)}`)
    const { dialect, chunks } = this.#expected
    const endings = this.#endings.join(', ')
    if (this.#chunks !== chunks || endings !== dialect.endings.join(', ') || this.#kept !== '') {
      throw new Error(`a stream of ${this.#chunks}/${chunks} chunks that ended in: ${endings}${this.#kept}`)
    }
    this.#watcher.onWhole()
  }
}
