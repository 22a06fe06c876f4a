/** A client on a bare socket: it can stop half-way through anything, read slowly, and leave in every way there is. */
import { connect, type Socket } from 'node:net'

export type Leaving = 'RST' | 'FIN'

export type RawRequest = {
  readonly path?: string
  readonly token: string
  readonly body: string | Buffer
  /** Send no more of the body than this; the head still announces all of it. */
  readonly sendBytes?: number
  readonly headers?: Readonly<Record<string, string>>
}

export type RawClient = {
  readonly socket: Socket
  /** All that was received so far, head included. */
  text(): string
  receivedBytes(): number
  /** Whether the connection is over, from whichever side. */
  isClosed(): boolean
  leave(how: Leaving): void
}

/** The bytes of a request as they go over the wire. */
export function rawRequest(request: RawRequest): Buffer {
  const { path = '/v1/chat/completions', token, body, sendBytes, headers = {} } = request
  const bytes = Buffer.from(body)
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: gateway',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${bytes.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')
  return Buffer.concat([Buffer.from(head), bytes.subarray(0, sendBytes)])
}

/** Connects and sends one request. */
export function openRawClient(url: string, request: RawRequest): Promise<RawClient> {
  return sendRaw(url, rawRequest(request))
}

/** Connects and sends these bytes; a client that stays leaves its side open when the other one ends. */
export async function sendRaw(
  url: string,
  bytes: string | Buffer,
  { stays = false }: { readonly stays?: boolean } = {},
): Promise<RawClient> {
  const port = Number(new URL(url).port)
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: stays })
  const pieces: Buffer[] = []
  let received = 0
  let isClosed = false
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece)
    received += piece.length
  })
  // A connection that breaks is what these tests are about.
  socket.on('error', () => {})
  socket.once('close', () => {
    isClosed = true
  })
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.write(bytes)
  return {
    socket,
    text: () => Buffer.concat(pieces).toString(),
    receivedBytes: () => received,
    isClosed: () => isClosed,
    leave: how => {
      if (how === 'RST') socket.resetAndDestroy()
      else socket.end()
    },
  }
}
