import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { mutationOf, splitOf, validAnswer } from './answers.fixture.ts'
import { call, echoNumber, listen, PATIENT, reply, stageWire, type WireServer } from './wire.fixture.ts'

const wire = stageWire()

describe('an answer', () => {
  test('may end with its connection', async () => {
    const { origin } = await wire.serve(socket => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'))
    expect(await call(wire.transport, origin).outcome).toMatchObject({ kind: 'answer', body: 'all of it' })
  })

  test.each([
    ['before anything', '', 'before its answer'],
    ['within its head', 'HTTP/1.1 200 OK\r\ncontent-le', 'within its head'],
    ['within its body', reply('hello').slice(0, -2), 'within its answer'],
    [
      'within its chunks',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel',
      'within its answer',
    ],
    [
      'before its last chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n',
      'within its answer',
    ],
  ])('whose connection ends %s has failed', async (_name, bytes, where) => {
    const { origin } = await wire.serve(socket => socket.end(bytes))
    expect(await call(wire.transport, origin).outcome).toMatchObject({
      kind: 'failed',
      error: { kind: 'failed', detail: expect.stringContaining(where) },
    })
  })

  test('whose connection is reset has failed', async () => {
    const { origin } = await wire.serve(socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nhalf', () => socket.resetAndDestroy())
    })
    expect(await call(wire.transport, origin).outcome).toMatchObject({
      kind: 'failed',
      error: { detail: expect.stringContaining('ECONNRESET') },
    })
  })

  test('that is not valid has failed, and its connection is closed', async () => {
    const server = await wire.serve(socket => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1, 1\r\n\r\n'))
    expect(await call(wire.transport, server.origin).outcome).toMatchObject({
      kind: 'failed',
      error: { kind: 'failed' },
    })
    await eventually(() => expect(server.sockets.size).toBe(0))
  })

  test('that comes before its request was sent is handed on, and the rest of the request is kept back', async () => {
    let arrived = 0
    const sockets: Socket[] = []
    const server = createServer(socket => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.pause()
        socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\nbig')
      })
      socket.on('data', piece => {
        arrived += piece.length
      })
    })
    const origin = await listen(server)
    expect(await call(wire.transport, origin, { body: [Buffer.alloc(30_000_000)] }).outcome).toMatchObject({
      kind: 'answer',
      status: 413,
      body: 'big',
    })
    const [socket] = sockets
    if (!socket) throw new Error('no connection')
    const closed = once(socket, 'close')
    socket.resume()
    await closed
    expect(arrived).toBeLessThan(30_000_000)
    server.close()
  })

  test('that is paused waits, its end too, and its upstream is held up', async () => {
    let written = 0
    const server = await wire.serve(socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const piece = Buffer.alloc(1_000_000)
      const writeOn = () => {
        while (written < 60_000_000) {
          written += piece.length
          if (!socket.write(piece)) return
        }
        socket.end()
      }
      socket.on('drain', writeOn)
      writeOn()
    })
    const { control, outcome, told } = call(wire.transport, server.origin, {
      timeouts: { ...PATIENT, idle_ms: 200 },
    })
    control.pause()
    await sleep(600)
    expect(told).toEqual({ status: null, pieces: [], isOver: false })
    expect(written).toBeLessThan(60_000_000)
    control.resume()
    await eventually(() => expect(told.status).toBe(200))
    control.pause()
    const sofar = told.pieces.length
    await sleep(400)
    expect(told.pieces).toHaveLength(sofar)
    control.resume()
    expect(await outcome).toMatchObject({ kind: 'answer', status: 200 })
    expect(told.pieces.reduce((sum, piece) => sum + piece.length, 0)).toBe(60_000_000)
  })
})

describe('an abort', () => {
  const beginnings = fc
    .tuple(validAnswer, fc.nat())
    .chain(([{ bytes }, place]) => splitOf(bytes.subarray(0, place % (bytes.length + 1))))

  test('at any byte of an answer closes its connection, and nothing more is told', async () => {
    let sent: Buffer[] = []
    const server = await wire.serve(async socket => {
      for (const piece of sent)
        if (piece.length > 0) await new Promise<void>(written => socket.write(piece, () => written()))
      sentAll.resolve()
    })
    let sentAll = Promise.withResolvers<void>()
    await fc.assert(
      fc.asyncProperty(beginnings, async pieces => {
        sent = pieces
        sentAll = Promise.withResolvers<void>()
        const { control, told } = call(wire.transport, server.origin)
        await sentAll.promise
        const wasOver = told.isOver
        const before = { status: told.status, pieces: told.pieces.length }
        control.abort()
        await eventually(() => expect(server.sockets.size).toBe(wasOver ? server.sockets.size : 0))
        expect({ status: told.status, pieces: told.pieces.length }).toEqual(before)
        expect(told.isOver).toBe(wasOver)
        for (const socket of server.sockets) socket.destroy()
        await eventually(() => expect(server.sockets.size).toBe(0))
      }),
      { numRuns: 150 },
    )
  })

  test.each([
    ['before it is connected', async () => {}],
    [
      'once its request has arrived',
      async (server: WireServer) => {
        await eventually(() => expect(server.requests).toHaveLength(1))
      },
    ],
  ])('%s leaves nothing open', async (_name, reach) => {
    const server = await wire.serve(() => {})
    const { control, told } = call(wire.transport, server.origin)
    await reach(server)
    control.abort()
    control.abort()
    control.pause()
    control.resume()
    await eventually(() => expect(server.sockets.size).toBe(0))
    expect(told).toEqual({ status: null, pieces: [], isOver: false })
  })

  test('of one that waits for an idle connection to be looked at leaves that connection to others', async () => {
    const server = await wire.serve(echoNumber)
    await call(wire.transport, server.origin).outcome
    await sleep(1_300)
    call(wire.transport, server.origin).control.abort()
    await sleep(20)
    expect(await call(wire.transport, server.origin).outcome).toMatchObject({ body: 'answer 1' })
    expect(server.connections()).toBe(1)
  })

  test('by a handler that is being told something takes effect at once', async () => {
    const server = await wire.serve(socket => socket.write(`${reply('a')}${reply('b')}`))
    const told: string[] = []
    const control = wire.transport.send(
      {
        origin: server.origin,
        path: '/',
        headers: [],
        requestId: 'req_1',
        body: [],
        timeouts: PATIENT,
      },
      {
        headers: () => {
          told.push('headers')
          control.abort()
        },
        data: () => told.push('data'),
        ended: () => told.push('ended'),
        failed: () => told.push('failed'),
      },
    )
    await eventually(() => expect(told).toHaveLength(1))
    await eventually(() => expect(server.sockets.size).toBe(0))
    expect(told).toEqual(['headers'])
  })
})

describe('no answer, however broken,', () => {
  const broken = validAnswer.chain(({ bytes }) => fc.oneof(fc.constant(bytes), mutationOf(bytes)))
  /** What the server sends beside a good answer: nothing, something behind it, or something in its place. */
  const sending = fc.oneof(
    fc.constant({ kind: 'good' as const }),
    broken.map(bytes => ({ kind: 'behind' as const, bytes })),
    broken.map(bytes => ({ kind: 'instead' as const, bytes })),
  )

  test('is told to another request, nor leaves anything open', async () => {
    let script: readonly (typeof sending extends fc.Arbitrary<infer Sending> ? Sending : never)[] = []
    const server = await wire.serve((socket, { body }) => {
      const sent = script[Number(body.toString())]
      const good = reply(`<${body}>`)
      if (sent?.kind === 'instead') socket.end(sent.bytes)
      else if (sent?.kind === 'behind')
        socket.write(Buffer.concat([Buffer.from(good), sent.bytes, Buffer.from(good)]))
      else socket.write(good)
    })
    await fc.assert(
      fc.asyncProperty(fc.array(sending, { minLength: 2, maxLength: 8 }), async made => {
        script = made
        for (const [number, { kind }] of made.entries()) {
          const { outcome } = call(wire.transport, server.origin, { body: [Buffer.from(String(number))] })
          const { body } = await outcome
          if (kind !== 'instead') expect(body).toBe(`<${number}>`)
          else expect(body).not.toMatch(/<\d>/)
          // A server that closes without saying so may meet the next request half-way, on any client.
          if (kind === 'instead') await eventually(() => expect(server.sockets.size).toBe(0))
        }
      }),
      { numRuns: 200 },
    )
    await wire.transport.close()
    await eventually(() => expect(server.sockets.size).toBe(0))
  })
})
