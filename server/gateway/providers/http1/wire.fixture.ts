/** Both ends of the wire, for tests: a server that a test writes byte by byte, and calls whose outcome is a value. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach } from 'vitest'
import type { Transport, TransportControl, TransportError, TransportRequest } from '../transport.ts'
import type { AnswerHeaders } from './answer-head.ts'
import { createHttpTransport } from './http-transport.ts'

export type WireRequest = {
  readonly head: string
  readonly body: Buffer
  /** Counted from 0 over all connections. */
  readonly number: number
  /** The connection it came by, counted from 0. */
  readonly connection: number
}

export type WireServer = {
  readonly origin: string
  readonly requests: WireRequest[]
  /** Connections that are open now. */
  readonly sockets: Set<Socket>
  /** How many connections there ever were. */
  connections(): number
  close(): Promise<void>
}

export type Answering = (socket: Socket, request: WireRequest) => void

const HEAD_END = Buffer.from('\r\n\r\n')

/** Reads whole requests and has each answered, on the given server or on a plain one. */
export async function startWireServer(
  answer: Answering,
  server: Server = createServer(),
): Promise<WireServer> {
  const requests: WireRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  // A server over TLS tells of its connections by another name.
  server.on(isSecure(server) ? 'secureConnection' : 'connection', serve)

  function serve(socket: Socket): void {
    const connection = connections++
    let read = Buffer.alloc(0)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('data', piece => {
      read = Buffer.concat([read, Buffer.from(piece)])
      for (;;) {
        const headEnd = read.indexOf(HEAD_END)
        if (headEnd === -1) return
        const head = read.toString('latin1', 0, headEnd)
        const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1])
        const end = headEnd + HEAD_END.length + length
        if (read.length < end) return
        const body = read.subarray(headEnd + HEAD_END.length, end)
        read = read.subarray(end)
        const request = { head, body, number: requests.length, connection }
        requests.push(request)
        answer(socket, request)
      }
    })
  }

  const origin = await listen(server)
  return {
    origin: isSecure(server) ? origin.replace('http:', 'https:') : origin,
    requests,
    sockets,
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

function isSecure(server: Server): boolean {
  return 'setSecureContext' in server
}

/** Has a server listen on a free port; gives its origin. */
export async function listen(server: Server, host = 'localhost'): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo // a server that listens on a port has one
  return `http://localhost:${port}`
}

/** A whole answer with this text. */
export function reply(text: string, fields = ''): string {
  return `HTTP/1.1 200 OK\r\n${fields}content-length: ${text.length}\r\n\r\n${text}`
}

export const echoNumber: Answering = (socket, { number }) => socket.write(reply(`answer ${number}`))

export type WireStage = {
  readonly transport: Transport
  /** Starts a server that is closed after the test. */
  serve(...parameters: Parameters<typeof startWireServer>): Promise<WireServer>
}

/** A transport of its own for each test, and servers that are closed after it. */
export function stageWire(): WireStage {
  let transport = createHttpTransport()
  let servers: WireServer[] = []
  beforeEach(() => {
    transport = createHttpTransport()
  })
  afterEach(async () => {
    await transport.close()
    await Promise.all(servers.map(server => server.close()))
    servers = []
  })
  return {
    get transport() {
      return transport
    },
    async serve(...parameters) {
      const server = await startWireServer(...parameters)
      servers.push(server)
      return server
    },
  }
}

export type CallOutcome =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: AnswerHeaders
      readonly body: string
      /** In how many pieces the body came. */
      readonly pieces: number
    }
  | { readonly kind: 'failed'; readonly error: TransportError; readonly body: string }

export type Call = {
  readonly control: TransportControl
  readonly outcome: Promise<CallOutcome>
  /** What has been told so far. */
  readonly told: { status: number | null; readonly pieces: Buffer[]; isOver: boolean }
}

export const PATIENT = { connect_ms: 5_000, first_byte_ms: 5_000, idle_ms: 5_000 }

/** Sends a request, and gathers what its handler is told. Being told anything after the end rejects the outcome. */
export function call(transport: Transport, origin: string, own: Partial<TransportRequest> = {}): Call {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<CallOutcome>()
  const told: Call['told'] = { status: null, pieces: [], isOver: false }
  let headers: AnswerHeaders = {}
  const body = () => Buffer.concat(told.pieces).toString('latin1')
  const check = () => {
    if (told.isOver) reject(new Error('told something after the end'))
  }
  const control = transport.send(
    {
      origin,
      path: '/v1/chat/completions',
      headers: ['content-type', 'application/json'],
      requestId: 'req_1',
      body: [Buffer.from('{}')],
      timeouts: PATIENT,
      ...own,
    },
    {
      headers: (status, given) => {
        check()
        if (told.status !== null) reject(new Error('told two heads'))
        told.status = status
        headers = given
      },
      data: bytes => {
        check()
        told.pieces.push(bytes)
      },
      ended: () => {
        check()
        told.isOver = true
        resolve({
          kind: 'answer',
          status: told.status ?? 0,
          headers,
          body: body(),
          pieces: told.pieces.length,
        })
      },
      failed: error => {
        check()
        told.isOver = true
        resolve({ kind: 'failed', error, body: body() })
      },
    },
  )
  return { control, outcome, told }
}
