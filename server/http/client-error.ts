import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { refusals, toEnvelope } from '#contract/errors.ts'
import { newId } from '#lib/id.ts'

const CAUSES: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
}

/** So long a client has to read why it was refused. Then its connection is over, and with it what it was in the middle of. */
const LINGER_MS = 500

/**
 * Answers what is no HTTP request at all, or breaks off being one: there is no response object yet, but the envelope is
 * the same.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  const { status, message } = CAUSES[error.code ?? ''] ?? {
    status: 400,
    message: 'The request is not valid HTTP',
  }
  const body = JSON.stringify(toEnvelope({ status, type: 'invalid_request_error', code: null, message }))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      `x-request-id: ${newId('req')}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(lingering))
}

/**
 * Whether an answer has begun on this connection, into which no other may be put. Node's own answer to such errors looks
 * at the same place: `socketOnError` of its `lib/_http_server.js` (26).
 */
function isAnswering(socket: Socket): boolean {
  const response: unknown = Reflect.get(socket, '_httpMessage')
  return response instanceof ServerResponse && response.headersSent
}

/**
 * Refuses what has to name a host and does not (RFC 9112, 3.2), and says so by true. Node would do it without a word of
 * the envelope.
 */
export function refuseWithoutHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false
  const body = JSON.stringify(toEnvelope(refusals.invalid('The request does not name a host')))
  response.writeHead(400, {
    'x-request-id': newId('req'),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  response.end(body)
  return true
}
