import { type AnswerHead, type AnswerHeaders, type Framing, readAnswerHead } from './answer-head.ts'
import { ChunkedDecoder } from './chunked-decoder.ts'
import { InvalidAnswer } from './invalid-answer.ts'

/** As much as Node's own parser takes; interim answers have to fit in as well. */
const MAX_HEAD_BYTES = 16 * 1024
const HEAD_END = Buffer.from('\r\n\r\n')
const EMPTY = Buffer.alloc(0)
const HEAD_BEGINNING = 'HTTP/1.'
const BARE_LINE_FEED = /(?:^|[^\r])\n/
const SWITCHING_PROTOCOLS = 101

/** Told what an answer brings. Any of these calls may pause the parser, or stop it. */
export type AnswerEvents = {
  head(status: number, headers: AnswerHeaders): void
  data(bytes: Buffer): void
  /** The answer is whole. `keepAliveMs` says how long its connection may wait for a next one; 0: not at all. */
  end(keepAliveMs: number): void
}

/**
 * Reads the answers that one connection brings, each when it is due, whatever pieces the bytes come in. While paused it
 * keeps what comes and tells nothing. After InvalidAnswer was thrown, the connection has to be closed.
 */
export class AnswerParser {
  readonly #events: AnswerEvents
  #step: 'idle' | 'head' | 'body' | 'whole' = 'idle'
  #framing: Framing = { kind: 'empty' }
  #bytesLeft = 0
  #chunks: ChunkedDecoder | null = null
  #headBytes = 0
  #keepAliveMs = 0
  /** What has come and was not read yet, from `#at` on. */
  #input: Buffer = EMPTY
  #at = 0
  #isPaused = false
  #isClosed = false
  #isRunning = false

  constructor(events: AnswerEvents) {
    this.#events = events
  }

  /** From now on an answer is due. */
  begin(): void {
    this.#step = 'head'
    this.#headBytes = 0
  }

  /** Takes in bytes of the answer that is due. Throws InvalidAnswer. */
  push(bytes: Buffer): void {
    this.#input =
      this.#at < this.#input.length ? Buffer.concat([this.#input.subarray(this.#at), bytes]) : bytes
    this.#at = 0
    this.#run()
  }

  /** The connection brings no more bytes, and was closed in good order. Throws InvalidAnswer when some are missing. */
  close(): void {
    this.#isClosed = true
    this.#run()
  }

  pause(): void {
    this.#isPaused = true
  }

  /** Goes on, with what was kept first. Throws InvalidAnswer. */
  resume(): void {
    this.#isPaused = false
    this.#run()
  }

  /** Nothing is told from here on. */
  stop(): void {
    this.#step = 'idle'
    this.#input = EMPTY
    this.#at = 0
  }

  #run(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      while (this.#advances());
    } finally {
      this.#isRunning = false
    }
    // Last of all: whoever is told may have the connection carry the next request at once.
    if (this.#step === 'whole' && !this.#isPaused) this.#end()
  }

  /** Takes one step; false when there is none to take. */
  #advances(): boolean {
    if (this.#isPaused || this.#step === 'idle' || this.#step === 'whole') return false
    if (this.#at >= this.#input.length) {
      if (this.#isClosed) this.#readClose()
      return false
    }
    return this.#step === 'head' ? this.#readHead() : this.#readBody()
  }

  #readClose(): void {
    if (this.#step !== 'body' || this.#framing.kind !== 'until-close') {
      throw new InvalidAnswer(`closed ${this.#step === 'head' ? 'before its answer' : 'within its answer'}`)
    }
    this.#step = 'whole'
  }

  #readHead(): boolean {
    const input = this.#input
    const end = input.indexOf(HEAD_END, this.#at)
    const bytes = (end === -1 ? input.length : end + HEAD_END.length) - this.#at
    if (this.#headBytes + bytes > MAX_HEAD_BYTES) throw new InvalidAnswer('a head that is too large')
    if (end === -1) {
      checkUnfinishedHead(input.toString('latin1', this.#at))
      if (this.#isClosed) throw new InvalidAnswer('closed within its head')
      return false
    }
    this.#headBytes += bytes
    const head = readAnswerHead(input.toString('latin1', this.#at, end))
    this.#at = end + HEAD_END.length
    if (head.status === SWITCHING_PROTOCOLS)
      throw new InvalidAnswer('another protocol that was not asked for')
    // Interim answers such as 103 are not the answer.
    if (head.status >= 200) this.#startBody(head)
    else if (head.keepAliveMs === 0) throw new InvalidAnswer('an interim answer that is said to be the last')
    return true
  }

  #startBody({ status, headers, framing, keepAliveMs }: AnswerHead): void {
    this.#keepAliveMs = keepAliveMs
    this.#framing = framing
    this.#step = framing.kind === 'empty' ? 'whole' : 'body'
    if (framing.kind === 'length') this.#bytesLeft = framing.bytes
    this.#chunks = framing.kind === 'chunked' ? new ChunkedDecoder() : null
    this.#events.head(status, headers)
  }

  #readBody(): boolean {
    const input = this.#input
    if (this.#chunks) {
      const content = this.#chunks.take(input, this.#at)
      this.#at = this.#chunks.stoppedAt
      if (this.#chunks.isDone) this.#step = 'whole'
      if (content.length > 0) this.#events.data(content)
      return true
    }
    const from = this.#at
    const to = this.#framing.kind === 'length' ? Math.min(from + this.#bytesLeft, input.length) : input.length
    this.#at = to
    this.#bytesLeft -= to - from
    if (this.#framing.kind === 'length' && this.#bytesLeft === 0) this.#step = 'whole'
    this.#events.data(from === 0 && to === input.length ? input : input.subarray(from, to))
    return true
  }

  #end(): void {
    // Bytes that nobody asked for could be taken for the answer to the next request.
    const hasMore = this.#at < this.#input.length
    const mayServeAgain = !hasMore && !this.#isClosed && this.#framing.kind !== 'until-close'
    this.stop()
    this.#events.end(mayServeAgain ? this.#keepAliveMs : 0)
  }
}

/** What can't become a head any more is not waited for: its end might never come. */
function checkUnfinishedHead(text: string): void {
  if (!HEAD_BEGINNING.startsWith(text.slice(0, HEAD_BEGINNING.length))) {
    throw new InvalidAnswer('not an HTTP/1.1 status line')
  }
  if (BARE_LINE_FEED.test(text)) throw new InvalidAnswer('a bare line feed')
}
