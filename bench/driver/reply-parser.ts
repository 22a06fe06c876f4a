/** Told of one reply, piece by piece. What it throws ends the connection as a failure. */
export type ReplySink = {
  onHead(status: number): void
  onBody(bytes: Buffer): void
  onEnd(): void
}

type Phase = 'head' | 'body' | 'chunk-size' | 'chunk' | 'chunk-end' | 'last-chunk-end'

const HEAD_END = '\r\n\r\n'
const LINE_END = '\r\n'
const LONGEST_HEAD_BYTES = 32_768

/**
 * Reads HTTP/1.1 replies with a length or in chunks: all that this bench meets, strictly and cheaply. `feed` takes
 * what the socket read; of a piece that can't be understood yet a copy is kept for the next call. The bytes that the
 * sink is told of are the socket's own: they are gone when it returns.
 */
export class ReplyParser {
  #sink: ReplySink
  #phase: Phase = 'head'
  #left = 0
  #kept: Buffer | null = null

  constructor(sink: ReplySink) {
    this.#sink = sink
  }

  feed(read: Buffer): void {
    const bytes = this.#kept ? Buffer.concat([this.#kept, read]) : read
    this.#kept = null
    let at = 0
    while (at < bytes.length) {
      const next = this.#step(bytes, at)
      if (next === at) {
        if (bytes.length - at > LONGEST_HEAD_BYTES) throw new Error('a reply head without end')
        this.#kept = Buffer.from(bytes.subarray(at))
        return
      }
      at = next
    }
  }

  /** Consumes one element that begins at `at`; returns where the next begins, or `at` when bytes are missing. */
  #step(bytes: Buffer, at: number): number {
    switch (this.#phase) {
      case 'head':
        return this.#readHead(bytes, at)
      case 'body':
      case 'chunk':
        return this.#readBody(bytes, at)
      case 'chunk-size':
        return this.#readChunkSize(bytes, at)
      case 'chunk-end':
      case 'last-chunk-end':
        return this.#readLineEnd(bytes, at)
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(HEAD_END, at)
    if (end < 0) return at
    const head = bytes.toString('latin1', at, end)
    this.#sink.onHead(Number(head.slice(9, 12)))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length !== undefined) {
      this.#left = Number(length)
      this.#phase = 'body'
      if (this.#left === 0) this.#finish()
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#phase = 'chunk-size'
    } else {
      throw new Error(`a reply with neither length nor chunks: ${head.slice(0, 200)}`)
    }
    return end + HEAD_END.length
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.#sink.onBody(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))
    if (this.#left === 0) {
      if (this.#phase === 'body') this.#finish()
      else this.#phase = 'chunk-end'
    }
    return end
  }

  #readChunkSize(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LINE_END, at)
    if (end < 0) return at
    const text = bytes.toString('latin1', at, end)
    if (!/^[0-9a-f]+$/i.test(text)) throw new Error(`not a chunk size: ${text.slice(0, 50)}`)
    this.#left = Number.parseInt(text, 16)
    this.#phase = this.#left === 0 ? 'last-chunk-end' : 'chunk'
    return end + LINE_END.length
  }

  #readLineEnd(bytes: Buffer, at: number): number {
    const end = at + LINE_END.length
    if (bytes.length < end) return at
    if (bytes.toString('latin1', at, end) !== LINE_END) throw new Error('a chunk that is longer than it says')
    if (this.#phase === 'last-chunk-end') this.#finish()
    else this.#phase = 'chunk-size'
    return end
  }

  #finish(): void {
    this.#phase = 'head'
    this.#sink.onEnd()
  }
}
