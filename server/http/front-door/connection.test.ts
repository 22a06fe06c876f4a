import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { answerClientError } from '../client-error.ts'
import { type ClientRequest, type ClientResponse, headerOf, type Serve } from '../client-exchange.ts'
import { openFrontDoor } from './front-door.ts'

type Exchange = { readonly request: ClientRequest; readonly response: ClientResponse }

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type DoorOptions = { readonly keepAliveMs?: number; readonly maxAwaitedMs?: number }

/** A server whose front door gives what it reads to `serve`; node's half says who it is. */
async function startDoor(serve: Serve, { keepAliveMs = 75_000, maxAwaitedMs }: DoorOptions = {}) {
  const sockets: Socket[] = []
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    request.resume().once('end', () => response.end('by node'))
  })
  server.on('clientError', answerClientError)
  openFrontDoor(server, serve, maxAwaitedMs)
  server.on('connection', socket => {
    sockets.push(socket)
    closing.push(() => socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo // a server that listens on a port has one
  return { port, sockets }
}

/** A door whose requests wait for the test to answer them. */
async function startWaitingDoor(options?: DoorOptions) {
  const exchanges: Exchange[] = []
  const serve: Serve = (request, response) => exchanges.push({ request, response }) > 0
  const { port, sockets } = await startDoor(serve, options)
  const taken = async (count: number) => {
    await eventually(() => expect(exchanges).toHaveLength(count))
    return exchanges
  }
  return { port, sockets, taken }
}

function talk(port: number, ...pieces: string[]) {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  let text = ''
  let isClosed = false
  socket.on('error', () => {})
  socket.on('data', piece => {
    text += piece.toString('latin1')
  })
  socket.on('end', () => {
    isClosed = true
  })
  for (const piece of pieces) socket.write(piece, 'latin1')
  closing.push(() => socket.destroy())
  return { socket, text: () => text, isClosed: () => isClosed }
}

const post = (body = 'ab', fields = '') =>
  `POST /v1/x HTTP/1.1\r\nhost: a\r\n${fields}content-length: ${body.length}\r\n\r\n${body}`

function reply({ response }: Exchange, text: string): void {
  response.writeHead(200, ['content-length', String(text.length)])
  response.end(text)
}

const bodyOf = ({ request }: Exchange) => ('body' in request ? request.body.toString('latin1') : null)

test('a request is given whole, and its answer keeps the connection', async () => {
  const { port, taken } = await startWaitingDoor()
  const client = talk(port, post('{}', 'X-A:  b\t\r\n'))
  const [first] = await taken(1)
  if (!first) throw new Error('There is one')
  expect(first.request).toMatchObject({ method: 'POST', url: '/v1/x' })
  const values = ['host', 'x-a', 'content-length', 'x-b', ''].map(name => headerOf(first.request, name))
  expect(values).toEqual(['a', 'b', '2', undefined, undefined])
  expect(bodyOf(first)).toBe('{}')
  reply(first, 'yes')
  await eventually(() => expect(client.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nyes$/))
  client.socket.write(post('second'))
  const [, second] = await taken(2)
  expect(second && bodyOf(second)).toBe('second')
})

describe('what comes in pieces', () => {
  test('is served when the rest of a body follows in time', async () => {
    const { port, sockets, taken } = await startWaitingDoor({ maxAwaitedMs: 60_000 })
    const whole = post('0123456789')
    const client = talk(port, whole.slice(0, -8))
    await eventually(() => expect(sockets[0]?.bytesRead).toBe(whole.length - 8))
    client.socket.write(whole.slice(-8))
    const [exchange] = await taken(1)
    expect(exchange && bodyOf(exchange)).toBe('0123456789')
  })

  test('is left to node when the rest is long in coming', async () => {
    const { port } = await startWaitingDoor()
    const client = talk(port, post('0123456789').slice(0, -8))
    await new Promise(resolve => setTimeout(resolve, 150))
    client.socket.write('23456789')
    await eventually(() => expect(client.text()).toContain('by node'))
  })

  test('is refused when its client closes before the rest', async () => {
    const { port } = await startWaitingDoor()
    const client = talk(port, post('0123456789').slice(0, -8))
    client.socket.end()
    await eventually(() => expect(client.isClosed()).toBe(true))
    expect(client.text()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"type":"invalid_request_error"/)
  })
})

test.each([
  ['a body without its length said before', 'transfer-encoding: chunked\r\n', '2\r\nab\r\n0\r\n\r\n'],
  ['a connection that is to be closed', 'connection: close\r\ncontent-length: 2\r\n', 'ab'],
  ['a field that stands twice', 'x-a: 1\r\nX-A: 2\r\ncontent-length: 2\r\n', 'ab'],
  ['a name that might be another', 'x-a_: 1\r\nx-b`: 2\r\ncontent-length: 2\r\n', 'ab'],
  ['an expectation', 'expect: 100-continue\r\ncontent-length: 2\r\n', 'ab'],
  ['a large head', `x-a: ${'b'.repeat(9_000)}\r\ncontent-length: 2\r\n`, 'ab'],
  ['a large body', 'content-length: 100000\r\n', 'a'.repeat(100_000)],
])('%s is left to node', async (_name, fields, body) => {
  const { port, taken } = await startWaitingDoor()
  const client = talk(port, `POST /v1/x HTTP/1.1\r\nhost: a\r\n${fields}\r\n${body}`)
  await eventually(() => expect(client.text()).toContain('by node'))
  await taken(0)
})

describe('requests that are sent without waiting for answers', () => {
  test('are served at once, and answered in their order', async () => {
    const { port, taken } = await startWaitingDoor()
    const client = talk(port, post('1') + post('2') + post('3'))
    const [first, second, third] = await taken(3)
    if (!first || !second || !third) throw new Error('There are three')
    reply(third, 'three')
    second.response.writeHead(200, [])
    second.response.write(Buffer.from('tw'))
    reply(first, 'one')
    second.response.write(Buffer.from('o'))
    second.response.end()
    await eventually(() =>
      expect(client.text()).toMatch(
        /\r\n\r\none(.|\r\n)*\r\n\r\n2\r\ntw\r\n1\r\no\r\n0\r\n\r\n(.|\r\n)*three$/,
      ),
    )
  })

  test('are all answered, however many there are', async () => {
    const { port } = await startDoor((request, response) => {
      setImmediate(() => reply({ request, response }, `<${bodyOf({ request, response })}>`))
      return true
    })
    const client = talk(port, Array.from({ length: 200 }, (_, at) => post(String(at))).join(''))
    await eventually(() => expect(client.text()).toContain('<199>'))
    const bodies = [...client.text().matchAll(/<(\d+)>/g)].map(([, number]) => Number(number))
    expect(bodies).toEqual(Array.from({ length: 200 }, (_, at) => at))
  })

  test('of which one is for node is answered by node when its turn comes', async () => {
    const { port, taken } = await startWaitingDoor()
    const client = talk(port, `${post('1')}GET / HTTP/1.1\r\nhost: a\r\n\r\n`)
    const [first] = await taken(1)
    if (!first) throw new Error('There is one')
    reply(first, 'one')
    await eventually(() => expect(client.text()).toMatch(/one[\s\S]*by node/))
  })

  test('wait in the queue with patience for what they write', async () => {
    const { port, taken } = await startWaitingDoor()
    const client = talk(port, post('1') + post('2'))
    const [first, second] = await taken(2)
    if (!first || !second) throw new Error('There are two')
    let drains = 0
    second.response.on('drain', () => drains++)
    second.response.writeHead(200, [])
    expect(second.response.write(Buffer.alloc(100_000, 'x'))).toBe(false)
    expect(second.response.writableLength).toBeGreaterThan(100_000)
    reply(first, 'one')
    await eventually(() => expect(drains).toBe(1))
    second.response.end('y')
    await eventually(() =>
      expect(client.text().endsWith(`${'x'.repeat(100_000)}\r\n1\r\ny\r\n0\r\n\r\n`)).toBe(true),
    )
  })
})

test('an answer that is given up while it waits leaves those before it alone, and cuts the connection in its turn', async () => {
  const { port, taken } = await startWaitingDoor()
  const client = talk(port, post('1') + post('2'))
  const [first, second] = await taken(2)
  if (!first || !second) throw new Error('There are two')
  second.response.writeHead(200, [])
  second.response.write('half of it')
  second.response.destroy()
  first.response.writeHead(200, [])
  first.response.write('one')
  await eventually(() => expect(client.text()).toContain('one'))
  first.response.end('two')
  await eventually(() => expect(client.isClosed()).toBe(true))
  expect(client.text()).toMatch(/one\r\n3\r\ntwo\r\n0\r\n\r\n$/)
})

describe('a client that leaves', () => {
  test.each(['end', 'resetAndDestroy'] as const)('by %s is noticed at every request of its', async how => {
    const { port, taken } = await startWaitingDoor()
    const client = talk(port, post('1') + post('2'))
    const exchanges = await taken(2)
    let closes = 0
    for (const { response } of exchanges) response.on('close', () => closes++)
    client.socket[how]()
    await eventually(() => expect(closes).toBe(2))
    for (const { request, response } of exchanges) {
      expect([request.destroyed, response.destroyed, response.writableEnded]).toEqual([true, true, false])
      reply({ request, response }, 'too late')
    }
    expect(client.text()).toBe('')
  })

  test('by half when its answer is handed over has all of it', async () => {
    const { port, taken } = await startWaitingDoor()
    const client = talk(port, post())
    const [exchange] = await taken(1)
    if (!exchange) throw new Error('There is one')
    client.socket.pause()
    const text = 'z'.repeat(8_000_000)
    reply(exchange, text)
    client.socket.end()
    client.socket.resume()
    await eventually(() => expect(client.text().endsWith(text)).toBe(true))
    expect(exchange.response.writableEnded).toBe(true)
  })

  test.each([
    ['its client', ({ socket }: ReturnType<typeof talk>) => socket.end()],
    ['whoever answers', (_client: unknown, { response }: Exchange) => response.destroy()],
  ])('nothing more is served of what it sent, where %s ends the connection', async (_who, end) => {
    const { port, taken } = await startWaitingDoor()
    const client = talk(port, Array.from({ length: 30 }, (_, at) => post(String(at))).join(''))
    const served = 17
    const [first] = await taken(served)
    if (!first) throw new Error('There is one')
    client.socket.pause()
    reply(first, 'z'.repeat(8_000_000))
    end(client, first)
    client.socket.resume()
    await eventually(() => expect(client.isClosed()).toBe(true))
    await taken(served)
  })
})

test('a client that does not read is waited for', async () => {
  const { port, taken } = await startWaitingDoor()
  const client = talk(port, post())
  const [exchange] = await taken(1)
  if (!exchange) throw new Error('There is one')
  const { response } = exchange
  client.socket.pause()
  response.writeHead(200, [])
  const piece = Buffer.alloc(200_000, 'x')
  let pieces = 1
  while (response.write(piece)) pieces++
  let isClosed = false
  response.on('close', () => {
    isClosed = true
  })
  const drained = new Promise<void>(resolve => response.once('drain', resolve))
  expect(response.writableNeedDrain).toBe(true)
  client.socket.resume()
  await drained
  response.end()
  await eventually(() => expect(isClosed).toBe(true))
  await eventually(() => expect(client.text().endsWith('0\r\n\r\n')).toBe(true))
  expect(client.text().replaceAll(/[^x]/g, '')).toHaveLength(pieces * piece.length)
})

test.each([
  ['a line end in a value', ['x-a', 'b\r\nx-c: d']],
  ['a NUL in a value', ['x-a', 'b\0']],
  ['a character beyond Latin-1', ['x-a', 'Ċ']],
  ['a line end in a name', ['x-a: b\r\nx-c', 'd']],
])('%s does not get into a head', async (_name, fields) => {
  const { port, taken } = await startWaitingDoor()
  talk(port, post())
  const [exchange] = await taken(1)
  expect(() => exchange?.response.writeHead(200, fields)).toThrow(/^a (field|value)/)
  expect(exchange?.response.headersSent).toBe(false)
})

test('an answer after which the connection is not kept says so, and closes it', async () => {
  const { port, taken } = await startWaitingDoor()
  const client = talk(port, post('1') + post('2'))
  const [first] = await taken(2)
  if (!first) throw new Error('There is one')
  first.response.shouldKeepAlive = false
  reply(first, 'bye')
  await eventually(() => expect(client.isClosed()).toBe(true))
  expect(client.text()).toMatch(/\r\nConnection: close\r\n\r\nbye$/)
})

test('a connection that is idle for longer than was promised is closed', async () => {
  const sayYes: Serve = (request, response) => {
    reply({ request, response }, 'yes')
    return true
  }
  const { port } = await startDoor(sayYes, { keepAliveMs: 1_000 })
  const client = talk(port, post())
  await eventually(() => expect(client.text()).toContain('Keep-Alive: timeout=1\r\n'))
  expect(client.isClosed()).toBe(false)
  await eventually(() => expect(client.isClosed()).toBe(true))
})
