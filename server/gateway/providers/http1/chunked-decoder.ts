import { CR, LF, TOKEN_CHARS } from '#lib/http-field.ts'
import { readFields } from './answer-head.ts'
import { InvalidAnswer } from './invalid-answer.ts'

/** The size line of a chunk, without its end: a size of at most 52 bits, and extensions, which mean nothing to us. */
const CHUNK_SIZE_LINE = new RegExp(
  `^([0-9A-Fa-f]{1,13})(?:;[${TOKEN_CHARS}]+(?:=(?:[${TOKEN_CHARS}]+|"[\\t\\x20!\\x23-\\x5b\\x5d-\\x7e]*"))?)*$`,
)
/** All extensions and trailers of an answer together: they mean nothing to us, and cost their sender nothing. */
const MAX_EXTRA_BYTES = 16 * 1024
/** Sizes of up to seven digits are read straight from the bytes; longer ones are hardly ever met. */
const PLAIN_DIGITS = 7
const EMPTY = Buffer.alloc(0)

/** Takes the content out of a body in chunks (RFC 9112, section 7.1). Extensions and trailers are checked and dropped. */
export class ChunkedDecoder {
  #step: 'size' | 'content' | 'content-end' | 'trailers' | 'done' = 'size'
  #contentLeft = 0
  /** The beginning of a line whose end has not come. */
  #line = ''
  #extraBytes = 0
  #at = 0

  get isDone(): boolean {
    return this.#step === 'done'
  }

  /** Where the last call has stopped: at the end of the bytes, or of the body. */
  get stoppedAt(): number {
    return this.#at
  }

  /**
   * The content of these bytes from the given place on. The content of several chunks is moved together within the
   * bytes, so that it goes on as one piece; what stood there is lost. Throws InvalidAnswer.
   */
  take(bytes: Buffer, from: number): Buffer {
    this.#at = from
    let start = from
    let end = from
    while (this.#at < bytes.length && this.#step !== 'done') {
      if (this.#step !== 'content') {
        this.#readBetween(bytes)
        continue
      }
      const next = Math.min(this.#at + this.#contentLeft, bytes.length)
      if (start === end) start = end = this.#at
      else bytes.copyWithin(end, this.#at, next)
      end += next - this.#at
      this.#contentLeft -= next - this.#at
      this.#at = next
      if (this.#contentLeft === 0) this.#step = 'content-end'
    }
    return start === end ? EMPTY : bytes.subarray(start, end)
  }

  /** Reads what stands between two contents, as far as it is there. */
  #readBetween(bytes: Buffer): void {
    if (this.#step === 'size' && this.#line === '' && this.#readPlainSize(bytes)) return
    const line = this.#readLine(bytes)
    if (line === null) return
    if (this.#step === 'size') this.#readSizeLine(line)
    else if (this.#step === 'trailers') this.#readTrailer(line)
    else if (line !== '') throw new InvalidAnswer('a chunk that is longer than its size')
    else this.#step = 'size'
  }

  /** A size line without anything else, all of it there: what nearly every chunk has. */
  #readPlainSize(bytes: Buffer): boolean {
    let at = this.#at
    let size = 0
    for (const last = at + PLAIN_DIGITS; at < last; at++) {
      const digit = hexDigit(bytes[at])
      if (digit === -1) break
      size = size * 16 + digit
    }
    if (at === this.#at || bytes[at] !== CR || bytes[at + 1] !== LF) return false
    this.#at = at + 2
    this.#startChunk(size)
    return true
  }

  #readSizeLine(line: string): void {
    const digits = CHUNK_SIZE_LINE.exec(line)?.[1]
    if (digits === undefined) throw new InvalidAnswer('a chunk whose size can not be read')
    this.#countExtra(line.length - digits.length)
    this.#startChunk(Number.parseInt(digits, 16))
  }

  #startChunk(size: number): void {
    this.#contentLeft = size
    this.#step = size === 0 ? 'trailers' : 'content'
  }

  #readTrailer(line: string): void {
    if (line === '') {
      this.#step = 'done'
      return
    }
    this.#countExtra(line.length)
    const fields = readFields(line, 0)
    if ('content-length' in fields || 'transfer-encoding' in fields) {
      throw new InvalidAnswer('a trailer that speaks of where the body ends')
    }
  }

  #countExtra(bytes: number): void {
    this.#extraBytes += bytes
    if (this.#extraBytes > MAX_EXTRA_BYTES) throw new InvalidAnswer('too much beside the content of a body')
  }

  /** A line without its end; null when its end has not come. */
  #readLine(bytes: Buffer): string | null {
    const feed = bytes.indexOf(LF, this.#at)
    const end = feed === -1 ? bytes.length : feed + 1
    if (this.#line.length + end - this.#at > MAX_EXTRA_BYTES) throw new InvalidAnswer('a line without end')
    const line = this.#line + bytes.toString('latin1', this.#at, end)
    this.#at = end
    this.#line = feed === -1 ? line : ''
    if (feed === -1) return null
    if (!line.endsWith('\r\n')) throw new InvalidAnswer('a bare line feed')
    return line.slice(0, -2)
  }
}

/** The value of a hexadecimal digit; -1 for any other byte. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
