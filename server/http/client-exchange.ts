/**
 * What the gateway needs of a client's request and of the answer to it. Node's HTTP server gives both, and the front door
 * gives both for requests that are wholly in order: whoever serves them need not know which of the two has read them.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** A request whose body came with it. */
export type WholeRequest = {
  readonly method: string
  /** A path without a query. */
  readonly url: string
  /** The value of a field, its name in lower case: letters, digits and dashes. None stood twice. */
  header(name: string): string | undefined
  readonly body: Buffer
  /** Whether its client left before it had its answer. */
  readonly destroyed: boolean
}

/** A request; the body of one that node reads is still to come. */
export type ClientRequest = WholeRequest | IncomingMessage

/** The value of a field of a request, its name in lower case. */
export function headerOf(request: ClientRequest, name: string): string | undefined {
  if ('body' in request) return request.header(name)
  const value = request.headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}

/** Names and values in turns; no name stands twice. */
export type AnswerFields = (string | number)[]

/** The answer to a request, as far as it goes in the words of node's `ServerResponse`. */
export type ClientResponse = {
  readonly req: ClientRequest
  readonly statusCode: number
  readonly headersSent: boolean
  readonly writableEnded: boolean
  /** Bytes that have not been handed to the operating system yet. */
  readonly writableLength: number
  readonly writableNeedDrain: boolean
  readonly destroyed: boolean
  /** Whether answers to earlier requests go out before it, so that nothing of it has left. Node's does not tell. */
  readonly isWaiting?: boolean
  /** Where node has read the request: the connection that it came by. */
  readonly socket?: Socket | null
  /** Whether its connection may carry another request: to be changed before the head is written. */
  shouldKeepAlive: boolean
  /** Without a `content-length`, the body goes out in chunks. Throws where a value could be read as more than one. */
  writeHead(status: number, fields: AnswerFields): unknown
  /** Sends a piece of the body; false asks for patience until `drain`. */
  write(bytes: Buffer | string): boolean
  end(bytes?: Buffer | string, encoding?: BufferEncoding): unknown
  /** Cuts the connection. */
  destroy(): unknown
  /** `close` comes when the answer is out, or its client gone. */
  on(event: 'close' | 'drain', listener: () => void): unknown
  once(event: 'close' | 'drain', listener: () => void): unknown
  off(event: 'close' | 'drain', listener: () => void): unknown
}

/** Serves a request and says so by true, or leaves it untouched. */
export type Serve = (request: ClientRequest, response: ClientResponse) => boolean
