import type { ServiceError } from '#contract/errors.ts'
import { type Admission, limitHeaders } from '#gateway/admission/admit.ts'
import { type Piece, toBytes, toLatin1 } from '#lib/pieces.ts'
import { SMALL_BYTES } from '#lib/shared-bytes.ts'
import { type AnswerFields, type ClientResponse, headerOf } from '#server/http/client-exchange.ts'
import type { CallerDialect } from './caller-dialect.ts'

/** Which of our headers a browser may show to the page that called. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'request-id',
  'retry-after',
  'x-should-retry',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-concurrency-limit',
  'x-concurrency-remaining',
  'x-goldweight-warnings',
  'idempotent-replayed',
].join(', ')

/** Cross-origin calls are welcome on `/v1`, which knows no cookies. */
export const CROSS_ORIGIN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
} as const

/** How long a client may go on sending what nobody wants, before its connection is closed under it. */
const MAX_LINGER_MS = 30_000

/** How long the end of an answer may wait for its client to read it. */
const MAX_UNREAD_MS = 300_000

const MAX_WARNING_CHARS = 1_000

export type Addressee = {
  readonly response: ClientResponse
  readonly requestId: string
  readonly dialect: CallerDialect
  /** The number of the next event of a stream, in dialects that number them. */
  readonly eventNumber?: number | undefined
  /** null while nothing was decided. */
  readonly admission: Admission | null
}

function commonFields(addressee: Addressee): AnswerFields {
  const { response, requestId, dialect, admission } = addressee
  const fields: AnswerFields = admission ? limitHeaders(admission) : []
  fields.push('x-request-id', requestId)
  if (dialect.requestIdHeader !== null) fields.push(dialect.requestIdHeader, requestId)
  if (dialect.isPublic) {
    fields.push('access-control-allow-origin', '*')
    // Only browsers tell where a call comes from, and have a use for this.
    if (headerOf(response.req, 'origin') !== undefined) {
      fields.push('access-control-expose-headers', EXPOSED_HEADERS)
    }
  }
  return fields
}

/** What the answer says that is there whole: nobody else may keep one that is not public. */
function wholeFields(addressee: Addressee, totalBytes: number, contentType?: string): AnswerFields {
  const fields = commonFields(addressee)
  if (!addressee.dialect.isPublic) fields.push('cache-control', 'no-store')
  fields.push('content-type', contentType ?? 'application/json; charset=utf-8')
  fields.push('content-length', totalBytes)
  return fields
}

/** Warnings as one header can carry them: visible ASCII, and not too much of it. */
function warningText(warnings: readonly string[]): string {
  const text = warnings.join('; ').replace(/[^\x20-\x7e]+/g, ' ')
  return text.length > MAX_WARNING_CHARS ? `${text.slice(0, MAX_WARNING_CHARS)}...` : text
}

/** An answer that is there as bytes. */
export type WholeReply = {
  readonly pieces: readonly Piece[]
  /** JSON unless it says otherwise. */
  readonly contentType?: string
  /** What the caller has to be told beside the answer. */
  readonly warnings?: readonly string[]
  /** Whether it was given before. */
  readonly isRepeat?: boolean
}

/** Answers; warnings go into a header. */
export function sendReply(
  addressee: Addressee,
  { pieces, contentType, warnings = [], isRepeat = false }: WholeReply,
): void {
  const { response } = addressee
  if (response.destroyed || response.headersSent) return
  let totalBytes = 0
  for (const piece of pieces) totalBytes += piece.length
  const fields = wholeFields(addressee, totalBytes, contentType)
  if (warnings.length > 0) fields.push('x-goldweight-warnings', warningText(warnings))
  // As Stripe names it: https://docs.stripe.com/api/idempotent_requests (2026-11).
  if (isRepeat) fields.push('idempotent-replayed', 'true')
  response.writeHead(200, fields)
  if (totalBytes <= SMALL_BYTES) {
    // As Latin-1 every byte is a character, and the head and a small body go out as one string in one system call.
    let text = ''
    for (const piece of pieces) text += toLatin1(piece)
    response.end(text, 'latin1')
    return
  }
  const all = pieces.map(toBytes)
  for (const piece of all.slice(0, -1)) response.write(piece)
  endAnswer(response, all.at(-1))
}

/** Ends an answer. A client that does not read the rest of it in time is cut off, and its bytes are let go. */
export function endAnswer(response: ClientResponse, lastBytes: Buffer | undefined): void {
  response.end(lastBytes)
  if (response.writableLength === 0) return
  const unread = setTimeout(() => response.destroy(), MAX_UNREAD_MS)
  response.once('close', () => clearTimeout(unread))
}

/** Answers with an error in the caller's dialect; inside a stream that has begun, as its last event. */
export function sendError(addressee: Addressee, error: ServiceError): void {
  const { response, dialect, requestId, eventNumber = 0 } = addressee
  if (response.destroyed || response.writableEnded) return
  if (response.headersSent) {
    const event = dialect.errorEvent(error, { requestId, eventNumber })
    if (event) response.end(event)
    else response.destroy()
    return
  }
  const body = dialect.errorBody(error, requestId)
  const fields = wholeFields(addressee, Buffer.byteLength(body))
  for (const [name, value] of Object.entries(error.headers ?? {})) fields.push(name, value)
  response.writeHead(error.status, fields)
  endOnceRead(response, body)
}

/**
 * Ends an answer whose request may still be arriving. To close a connection with bytes unread is to reset it, and a
 * client that sends all before it reads would lose the answer: so what still comes is read and thrown away first.
 * Where the connection is kept, Node does so itself.
 */
function endOnceRead(response: ClientResponse, body: string): void {
  const { req: request } = response
  if ('body' in request || request.complete || response.shouldKeepAlive) {
    response.end(body)
    return
  }
  response.write(body)
  const end = () => {
    clearTimeout(lingering)
    response.end()
  }
  const lingering = setTimeout(end, MAX_LINGER_MS)
  request.once('end', end)
  request.once('close', end)
  request.resume()
}

/** An answer that is passed on while it comes. */
export type BegunStream = {
  /** Events unless it says otherwise. */
  readonly contentType?: string | undefined
  readonly warnings?: readonly string[]
}

/** Begins an answer whose bytes follow; warnings go into a header. */
export function beginStream(addressee: Addressee, { contentType, warnings = [] }: BegunStream): void {
  const fields = commonFields(addressee)
  if (warnings.length > 0) fields.push('x-goldweight-warnings', warningText(warnings))
  fields.push('content-type', contentType ?? 'text/event-stream; charset=utf-8', 'cache-control', 'no-cache')
  // Some reverse proxies hold streams back unless told not to.
  fields.push('x-accel-buffering', 'no')
  addressee.response.writeHead(200, fields)
}
