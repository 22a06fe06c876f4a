import { type ClientRequest, headerOf } from './client-exchange.ts'

const CLIENT_ID = /^[\x21-\x7e]{1,128}$/

/** The request id that a client sent along, kept beside ours; null when there is none or it is not plain text. */
export function clientRequestId(request: ClientRequest): string | null {
  const sent = headerOf(request, 'x-request-id')
  return sent !== undefined && CLIENT_ID.test(sent) ? sent : null
}
