/**
 * Server-sent events as bytes (https://html.spec.whatwg.org/multipage/server-sent-events.html): where each event
 * begins and ends and what its data are, however the bytes were split on the way. Lines may end in LF, CRLF or CR.
 */

export type SseEvent = {
  /** The bytes of the event as they came, with the blank line that ends it. */
  readonly raw: Buffer
  /** The `event:` field; null when there is none. */
  readonly name: string | null
  /** The data lines joined by line feeds; null for a block of comments. */
  readonly data: Buffer | null
}

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const EMPTY = Buffer.alloc(0)
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const DATA = Buffer.from('data')
const EVENT = Buffer.from('event')
const COLON = 0x3a

type Line = { readonly end: number; readonly next: number }

/** Cuts a stream of bytes into events. */
export class SseSplitter {
  #carry: Buffer = EMPTY
  /** Pieces without a line end that wait to be joined to the carry. */
  #pieces: Buffer[] = []
  #pieceBytes = 0
  #atStart = true

  /** How many bytes wait for the rest of their event. */
  get pendingBytes(): number {
    return this.#carry.length + this.#pieceBytes
  }

  /** The events that this piece completes. */
  push(piece: Buffer): SseEvent[] {
    if (this.pendingBytes > 0 && piece.indexOf(LF) === -1 && piece.indexOf(CR) === -1) {
      this.#pieces.push(piece)
      this.#pieceBytes += piece.length
      return []
    }
    return this.#split(this.#join(piece), false)
  }

  /** The event that the end of the stream completes: a last one may lack its blank line. */
  end(): SseEvent[] {
    return this.#split(this.#join(EMPTY), true)
  }

  #join(piece: Buffer): Buffer {
    if (this.pendingBytes === 0) return piece
    const joined = Buffer.concat([this.#carry, ...this.#pieces, piece])
    this.#carry = EMPTY
    this.#pieces = []
    this.#pieceBytes = 0
    return joined
  }

  #split(bytes: Buffer, atEnd: boolean): SseEvent[] {
    const events: SseEvent[] = []
    let start = 0
    if (this.#atStart && bytes.length > 0) {
      if (bytes.length < 3 && !atEnd && BYTE_ORDER_MARK.subarray(0, bytes.length).equals(bytes)) {
        this.#carry = bytes
        return events
      }
      if (bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)) start = 3
      this.#atStart = false
    }
    let at = start
    const hasReturns = bytes.indexOf(CR) !== -1
    for (;;) {
      const line = findLine(bytes, at, { hasReturns, atEnd })
      if (!line) break
      if (line.end === at) {
        if (at > start) events.push(readEvent(bytes.subarray(start, line.next), hasReturns))
        start = line.next
      }
      at = line.next
    }
    const rest = bytes.subarray(start)
    if (!atEnd) this.#carry = rest
    else if (rest.length > 0) events.push(readEvent(rest, hasReturns))
    return events
  }
}

/** The line that begins at `from`: where its text ends and the next line begins. Null when its end has not come. */
function findLine(
  bytes: Buffer,
  from: number,
  { hasReturns, atEnd }: { readonly hasReturns: boolean; readonly atEnd: boolean },
): Line | null {
  const feed = bytes.indexOf(LF, from)
  if (hasReturns) {
    const ret = bytes.indexOf(CR, from)
    if (ret !== -1 && (feed === -1 || ret < feed)) {
      // A carriage return at the very end may be the first half of a line end.
      if (ret + 1 === bytes.length && !atEnd) return null
      return { end: ret, next: bytes[ret + 1] === LF ? ret + 2 : ret + 1 }
    }
  }
  return feed === -1 ? null : { end: feed, next: feed + 1 }
}

function readEvent(raw: Buffer, hasReturns: boolean): SseEvent {
  let name: string | null = null
  let data: Buffer | null = null
  let at = 0
  while (at < raw.length) {
    const line = findLine(raw, at, { hasReturns, atEnd: true }) ?? { end: raw.length, next: raw.length }
    if (startsField(raw, at, line.end, DATA)) {
      const value = fieldValue(raw, at + DATA.length, line.end)
      data = data === null ? value : Buffer.concat([data, Buffer.from('\n'), value])
    } else if (startsField(raw, at, line.end, EVENT)) {
      name = fieldValue(raw, at + EVENT.length, line.end).toString()
    }
    at = line.next
  }
  return { raw, name, data }
}

function startsField(bytes: Buffer, from: number, end: number, field: Buffer): boolean {
  const after = from + field.length
  if (after > end || bytes.compare(field, 0, field.length, from, after) !== 0) return false
  return after === end || bytes[after] === COLON
}

function fieldValue(bytes: Buffer, afterName: number, end: number): Buffer {
  if (afterName >= end) return EMPTY
  const start = bytes[afterName + 1] === SPACE ? afterName + 2 : afterName + 1
  return bytes.subarray(Math.min(start, end), end)
}

/** An event that holds these data, under a name where one is given, and nothing else. */
export function sseEvent(data: string, name?: string): Buffer {
  const field = name === undefined ? '' : `event: ${name}\n`
  return Buffer.from(`${field}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`)
}
