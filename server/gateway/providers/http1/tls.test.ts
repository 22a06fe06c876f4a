import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { LOCALHOST_IDENTITY, TEST_AUTHORITY } from '#test/support/tls-identity.ts'
import { type Answering, call, echoNumber, reply, stageWire } from './wire.fixture.ts'

const wire = stageWire()

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  )
}

describe('over TLS', () => {
  const serveSecurely = (answer: Answering) => wire.serve(answer, createServer(LOCALHOST_IDENTITY))

  test('a server whose authority nobody knows is refused', async () => {
    const server = await serveSecurely(echoNumber)
    expect(await call(wire.transport, server.origin).outcome).toMatchObject({
      error: { kind: 'failed', detail: expect.stringMatching(/certificate/i) },
    })
    expect(server.requests).toEqual([])
  })

  describe('with an authority that is known', () => {
    const known = getCACertificates('default')
    beforeEach(() => setDefaultCACertificates([...known, TEST_AUTHORITY]))
    afterEach(() => setDefaultCACertificates(known))

    test('a server is asked by its name, and its connection used again', async () => {
      const names: unknown[] = []
      const server = await serveSecurely((socket, request) => {
        names.push((socket as TLSSocket & { servername?: unknown }).servername)
        echoNumber(socket, request)
      })
      expect(await call(wire.transport, server.origin).outcome).toMatchObject({ body: 'answer 0' })
      expect(await call(wire.transport, server.origin).outcome).toMatchObject({ body: 'answer 1' })
      expect(names).toEqual(['localhost', 'localhost'])
      expect(server.connections()).toBe(1)
    })

    test('a server by another name is refused', async () => {
      const server = await serveSecurely(echoNumber)
      const origin = server.origin.replace('localhost', '127.0.0.1')
      const { outcome } = call(wire.transport, origin)
      expect(await outcome).toMatchObject({
        kind: 'failed',
        error: { detail: expect.stringMatching(/ERR_TLS_CERT_ALTNAME_INVALID|ECONNREFUSED/) },
      })
      expect(server.requests).toEqual([])
    })

    test('a later connection resumes the session of an earlier one', async () => {
      const resumed: boolean[] = []
      const server = await serveSecurely((socket, { number }) => {
        resumed.push((socket as TLSSocket).isSessionReused())
        socket.write(reply(`answer ${number}`, 'connection: close\r\n'))
      })
      for (let number = 0; number < 3; number++) await call(wire.transport, server.origin).outcome
      expect(resumed).toEqual([false, true, true])
    })

    test('bodies of every size arrive, and answers in every piece', async () => {
      const content = 'x'.repeat(300_000)
      const server = await serveSecurely((socket, { body }) => {
        for (const piece of piecesOf(reply(`${body.length} ${content}`), 7_000)) socket.write(piece)
      })
      for (const length of [10, 20_000, 1_000_000]) {
        const { outcome } = call(wire.transport, server.origin, { body: [Buffer.alloc(length, 'y')] })
        expect(await outcome).toMatchObject({ body: `${length} ${content}` })
      }
      expect(server.connections()).toBe(1)
    })

    test('many connections at once do not mix up what they bring', async () => {
      const server = await serveSecurely((socket, { body }) => {
        const answer = reply(body.toString().repeat(400))
        for (const piece of piecesOf(answer, 900)) socket.write(piece)
      })
      const calls = Array.from({ length: 40 }, (_, number) => {
        const body = `<${number}>`.padEnd(10, String(number))
        return { body, ...call(wire.transport, server.origin, { body: [Buffer.from(body)] }) }
      })
      for (const { body, outcome } of calls) expect(await outcome).toMatchObject({ body: body.repeat(400) })
    })

    test('a stream that is paused waits', async () => {
      const server = await serveSecurely(socket => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        for (let piece = 0; piece < 50; piece++) socket.write(Buffer.alloc(10_000, 'z'))
        socket.end()
      })
      const { control, outcome, told } = call(wire.transport, server.origin)
      await eventually(() => expect(told.pieces.length).toBeGreaterThan(0))
      control.pause()
      const sofar = told.pieces.length
      await sleep(200)
      expect(told.pieces).toHaveLength(sofar)
      control.resume()
      expect(await outcome).toMatchObject({ body: 'z'.repeat(500_000) })
    })
  })
})
