import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { toEnvelope } from '#contract/errors.ts'
import { newId } from '#lib/id.ts'

const CAUSES: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
}

/** Answers what is no HTTP request at all: there is no response object yet, but the envelope is the same. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
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
}
