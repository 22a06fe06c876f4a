/** The same service twice, behind the front door and by node's server alone, and a client that says the same to both. */
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { answerClientError, refuseWithoutHost } from '../client-error.ts'
import { type ClientRequest, type ClientResponse, headerOf } from '../client-exchange.ts'
import { openFrontDoor } from './front-door.ts'

export type SeenRequest = {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  /** null as long as it is not whole. */
  body: string | null
}

export type EchoServer = {
  readonly server: Server
  readonly port: number
  /** The requests that came, in their order. */
  readonly seen: SeenRequest[]
  /** How many of them the front door has read. */
  readonly read: { byDoor: number }
  close(): Promise<void>
}

/** A body of any length as text, one character a byte. */
async function readWhole(request: ClientRequest): Promise<string> {
  // Nobody answers in the moment of being asked.
  if ('body' in request) return turn(request.body.toString('latin1'))
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}

/** What somebody may ask for: names that stand in every request, in some, and in none. */
const ASKED = [
  'host',
  'connection',
  'content-length',
  'content-type',
  'authorization',
  'user-agent',
  'origin',
  'accept',
  'accept-encoding',
  'x-a',
  'x-b',
  'x-c1',
  'transfer-encoding',
  'expect',
]

function headersOf(request: ClientRequest): Record<string, string | undefined> {
  return Object.fromEntries(ASKED.map(name => [name, headerOf(request, name)]))
}

async function answer(request: ClientRequest, response: ClientResponse, into: EchoServer): Promise<void> {
  const { method, url } = request
  if (url === '/v1/early') {
    const body = '{"error":"nobody may"}'
    response.writeHead(401, ['content-type', 'application/json', 'content-length', String(body.length)])
    response.end(body)
    return
  }
  const seen: SeenRequest = { method, url, headers: headersOf(request), body: null }
  into.seen.push(seen)
  const body = await readWhole(request)
  seen.body = body
  if ('body' in request) into.read.byDoor++
  const echo = Buffer.from(`${url} ${body}`, 'latin1')
  if (url === '/v1/chunks') {
    response.writeHead(200, ['x-a', 'b', 'content-type', 'text/event-stream'])
    for (const piece of [echo.subarray(0, 4), echo.subarray(4)]) {
      response.write(piece)
      // Node joins what is written in one turn into one chunk.
      await turn()
    }
    response.end()
    return
  }
  response.writeHead(200, ['content-length', String(echo.length), 'x-long', 'x'.repeat(50)])
  response.end(echo)
}

export async function startEchoServer({ hasDoor }: { readonly hasDoor: boolean }): Promise<EchoServer> {
  // What is aborted tells nobody.
  const serve = (request: ClientRequest, response: ClientResponse) => {
    void answer(request, response, echo).catch(() => {})
  }
  const server = createServer({ keepAliveTimeout: 75_000, requireHostHeader: false }, (request, response) => {
    if (!refuseWithoutHost(request, response)) serve(request, response)
  })
  server.on('clientError', answerClientError)
  if (hasDoor) {
    openFrontDoor(server, (request, response) => {
      const isOurs = request.url?.startsWith('/v1/') === true
      if (isOurs) serve(request, response)
      return isOurs
    })
  }
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a server that listens on a port has one
  const echo: EchoServer = {
    server,
    port,
    seen: [],
    read: { byDoor: 0 },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
  return echo
}

/** Node sends it the moment it is asked, even in the midst of an answer to an earlier request. */
const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n'

export type Client = {
  readonly socket: Socket
  /** What it was told in the end, without dates and ids. */
  told(): string
  isClosed(): boolean
}

export async function openClient(port: number): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  let text = ''
  let isClosed = false
  socket.on('data', piece => {
    text += piece.toString('latin1')
  })
  socket.on('error', () => {
    isClosed = true
  })
  socket.on('end', () => {
    isClosed = true
  })
  await new Promise(resolve => socket.once('connect', resolve))
  return {
    socket,
    told: () => text.replaceAll(INTERIM, '').replace(/^(Date|x-request-id): .*$/gim, '$1: …'),
    isClosed: () => isClosed,
  }
}

/** Sends pieces one by one, each after a turn in which the server may have read the one before. */
export async function sendPieces({ socket }: Client, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.writable) socket.write(piece)
    await sleep(1)
  }
}
