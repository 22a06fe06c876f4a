import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { createHttpTransport } from './http-transport.ts'
import { call, echoNumber, listen, reply, stageWire } from './wire.fixture.ts'

const wire = stageWire()

describe('a connection', () => {
  test('is used again, the one that was used last first', async () => {
    const { origin, requests } = await wire.serve(echoNumber)
    await Promise.all([1, 2, 3].map(() => call(wire.transport, origin).outcome))
    const [, second] = requests
    await call(wire.transport, origin).outcome
    await call(wire.transport, origin).outcome
    expect(new Set(requests.map(({ connection }) => connection)).size).toBe(3)
    expect(requests.slice(3).map(({ connection }) => connection)).toEqual([2, 2])
    expect(second?.connection).toBe(1)
  })

  test('is opened for every request that would have to wait', async () => {
    const sockets: Socket[] = []
    const server = await wire.serve(socket => sockets.push(socket))
    const calls = Array.from({ length: 50 }, () => call(wire.transport, server.origin))
    await eventually(() => expect(sockets).toHaveLength(50))
    for (const socket of sockets) socket.write(reply('yes'))
    for (const { outcome } of calls) expect(await outcome).toMatchObject({ body: 'yes' })
    expect(server.connections()).toBe(50)
  })

  test.each([
    ['says that it closes', reply('a', 'connection: close\r\n')],
    ['says that it closes at once', reply('a', 'keep-alive: timeout=1\r\n')],
    ['is one of HTTP/1.0', reply('a', 'connection: keep-alive\r\n').replace('1.1', '1.0')],
    ['sends more than its answer', `${reply('a')}HTTP/1.1 200 OK\r\n`],
    ['sends a second answer', reply('a') + reply('b')],
    ['sends an empty line after its answer', `${reply('a')}\r\n`],
  ])('whose server %s is closed, and never used again', async (_name, bytes) => {
    const server = await wire.serve((socket, { number }) => socket.write(number === 0 ? bytes : reply('c')))
    expect(await call(wire.transport, server.origin).outcome).toMatchObject({ body: 'a' })
    expect(await call(wire.transport, server.origin).outcome).toMatchObject({ body: 'c' })
    expect(server.requests[1]?.connection).toBe(1)
    await eventually(() => expect(server.sockets.size).toBe(1))
  })

  test('on which bytes come that nobody asked for is closed', async () => {
    const server = await wire.serve(echoNumber)
    await call(wire.transport, server.origin).outcome
    const [socket] = server.sockets
    socket?.write(reply('a surprise'))
    await eventually(() => expect(server.sockets.size).toBe(0))
    expect(await call(wire.transport, server.origin).outcome).toMatchObject({ body: 'answer 1' })
  })

  test('that was idle for long enough is closed', async () => {
    const brief = createHttpTransport({ maxIdleMs: 100 })
    const server = await wire.serve(echoNumber)
    await call(brief, server.origin).outcome
    expect(server.sockets.size).toBe(1)
    await eventually(() => expect(server.sockets.size).toBe(0))
    expect(await call(brief, server.origin).outcome).toMatchObject({ body: 'answer 1' })
    await brief.close()
  })

  test('that the server closes while it is idle is not used again', async () => {
    const server = await wire.serve(echoNumber)
    await call(wire.transport, server.origin).outcome
    for (const socket of server.sockets) socket.end()
    await eventually(() => expect(server.sockets.size).toBe(0))
    expect(await call(wire.transport, server.origin).outcome).toMatchObject({ body: 'answer 1' })
  })

  test('that was closed while nobody looked is found out before it is used', async () => {
    const server = await wire.serve(echoNumber)
    await call(wire.transport, server.origin).outcome
    await sleep(1_300)
    for (const socket of server.sockets) socket.end()
    // Until here the event loop was not free to see that it was closed.
    const blockedUntil = performance.now() + 50
    while (performance.now() < blockedUntil);
    expect(await call(wire.transport, server.origin).outcome).toMatchObject({ body: 'answer 1' })
    expect(server.requests.map(({ connection }) => connection)).toEqual([0, 1])
  })

  test('that dies under its request fails it, for a request must not be sent twice', async () => {
    const server = await wire.serve((socket, { number }) => {
      if (number === 0) socket.write(reply('a'))
      else socket.destroy()
    })
    await call(wire.transport, server.origin).outcome
    expect(await call(wire.transport, server.origin).outcome).toMatchObject({
      kind: 'failed',
      error: { kind: 'failed' },
    })
    expect(server.requests).toHaveLength(2)
  })

  test('is not kept beyond 256 that a burst leaves behind', async () => {
    const sockets: Socket[] = []
    const server = await wire.serve(socket => sockets.push(socket))
    const calls = Array.from({ length: 300 }, () => call(wire.transport, server.origin))
    await eventually(() => expect(sockets).toHaveLength(300))
    for (const socket of sockets) socket.write(reply('yes'))
    await Promise.all(calls.map(({ outcome }) => outcome))
    await eventually(() => expect(server.sockets.size).toBe(256))
  })
})

describe('time', () => {
  const timeouts = { connect_ms: 300, first_byte_ms: 300, idle_ms: 300 }

  test.each([
    ['before its head', ''],
    ['within its head', 'HTTP/1.1 200 OK\r\nconte'],
    ['after its head', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'],
    ['after interim answers', 'HTTP/1.1 103\r\n\r\n'],
  ])('runs out for an upstream that falls silent %s', async (_name, bytes) => {
    const server = await wire.serve(socket => socket.write(bytes))
    const startedMs = performance.now()
    const { outcome } = call(wire.transport, server.origin, { timeouts })
    expect(await outcome).toMatchObject({ error: { kind: 'timeout', detail: 'no first byte' } })
    expect(performance.now() - startedMs).toBeGreaterThan(299)
    await eventually(() => expect(server.sockets.size).toBe(0))
  })

  test('runs out for an upstream that falls silent within its body', async () => {
    const { origin } = await wire.serve(socket =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab'),
    )
    expect(await call(wire.transport, origin, { timeouts }).outcome).toMatchObject({
      error: { kind: 'timeout', detail: 'silent for too long' },
      body: 'ab',
    })
  })

  test('does not run out while something comes', async () => {
    const { origin } = await wire.serve(async socket => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n')
      for (let piece = 0; piece < 10; piece++) {
        await sleep(100)
        socket.write('a')
      }
    })
    expect(await call(wire.transport, origin, { timeouts }).outcome).toMatchObject({ body: 'a'.repeat(10) })
  })

  // What else the machine does runs on the same clock: it may spoil one try, a defect spoils them all.
  test('does not run while the event loop is blocked', { retry: 2 }, async () => {
    const { origin } = await wire.serve((socket, { number }) => {
      if (number > 0) socket.write(reply('there in time'))
    })
    void call(wire.transport, origin).outcome
    const { outcome } = call(wire.transport, origin, { timeouts })
    await sleep(60)
    const blockedUntil = performance.now() + 1_000
    while (performance.now() < blockedUntil);
    expect(await outcome).toMatchObject({ body: 'there in time' })
  })

  test('runs out for a connection that is not made', async () => {
    // A server over TLS that never says a word: it is not connected before it has.
    const silent = createServer(() => {})
    const origin = await listen(silent)
    const { outcome } = call(wire.transport, origin.replace('http:', 'https:'), { timeouts })
    expect(await outcome).toMatchObject({
      error: { kind: 'timeout', detail: expect.stringContaining('no connection') },
    })
    silent.close()
  })
})

describe('a server that can not be reached', () => {
  test('has failed the request', async () => {
    const server = await wire.serve(echoNumber)
    await server.close()
    expect(await call(wire.transport, server.origin).outcome).toMatchObject({
      error: { kind: 'failed', detail: expect.stringContaining('ECONNREFUSED') },
    })
  })

  test('by its name has failed the request', async () => {
    expect(await call(wire.transport, 'http://nowhere.invalid').outcome).toMatchObject({
      error: { kind: 'failed', detail: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
    })
  })
})

test('an address of IPv6 is taken with its brackets', async () => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', read => socket.end(reply(/\r\nhost: (\S+)/.exec(read.toString())?.[1] ?? '')))
  })
  const { port } = new URL(await listen(server, '::1'))
  expect(await call(wire.transport, `http://[::1]:${port}`).outcome).toMatchObject({ body: `[::1]:${port}` })
  server.close()
})

test('closing the transport fails what is on its way, and what comes after', async () => {
  const server = await wire.serve(() => {})
  const { outcome } = call(wire.transport, server.origin)
  await eventually(() => expect(server.requests).toHaveLength(1))
  await wire.transport.close()
  expect(await outcome).toMatchObject({ error: { kind: 'failed', detail: 'the transport is closed' } })
  const other = await wire.serve(echoNumber)
  for (const { origin } of [server, other]) {
    expect(await call(wire.transport, origin).outcome).toMatchObject({ error: { kind: 'failed' } })
  }
  await eventually(() => expect(server.sockets.size).toBe(0))
})
