/** What the upstream answers, byte for byte, in one protocol. */
export type FixedWire = {
  /** A whole HTTP reply to a call that does not stream. */
  readonly reply: Buffer
  /** How a streamed reply begins. */
  readonly streamHead: string
  /** One piece of content; it carries the moment it was sent, in microseconds of the machine's monotonic clock. */
  contentChunk(sentMicros: number): string
  /** All that ends a stream, and the reply. */
  readonly streamTail: string
}

export const STAMP_DIGITS = 16

export function wholeReply(body: object): Buffer {
  const text = JSON.stringify(body)
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  )
}

export const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n'

export function transferChunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

/** Writes a piece of content again and again: `event` has a mark of that many signs where the time goes. */
export function stamper(event: string): (sentMicros: number) => string {
  const [before = '', after = ''] = transferChunk(event).split('#'.repeat(STAMP_DIGITS))
  return sentMicros => before + String(Math.floor(sentMicros)).padStart(STAMP_DIGITS, '0') + after
}

export const STAMP = `@${'#'.repeat(STAMP_DIGITS)}`
export const ANSWER = 'The same answer, whatever was asked. '.repeat(8).trim()

/** Every reply, streamed or not, reports the same tokens; some of the input was read from a cache. */
export const TOKENS = { plain: 148, cached: 64, output: 40 } as const
