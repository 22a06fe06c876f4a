import { describe, expect, test } from 'vitest'
import { call, echoNumber, stageWire } from './wire.fixture.ts'

const wire = stageWire()

describe('a request', () => {
  test('goes out as it was given, with the fields that frame it', async () => {
    const { origin, requests } = await wire.serve(echoNumber)
    await call(wire.transport, origin, {
      path: '/v1/embeddings?a=b',
      headers: ['content-type', 'application/json', 'x-caf\xe9'.slice(0, 2), 'caf\xe9'],
      ownHeaders: ['x-request-id', 'req_7'],
      body: [Buffer.from('{"a":'), Buffer.from('"\u00e9"'), Buffer.from('}')],
    }).outcome
    expect(requests[0]?.head.split('\r\n')).toEqual([
      'POST /v1/embeddings?a=b HTTP/1.1',
      `host: ${origin.slice('http://'.length)}`,
      'connection: keep-alive',
      'content-type: application/json',
      'x-: caf\xe9',
      'x-request-id: req_7',
      'content-length: 10',
    ])
    expect(requests[0]?.body.toString()).toBe('{"a":"\u00e9"}')
  })

  test.each([0, 1, 15_000, 17_000, 130_000, 300_000, 3_000_000])(
    'with a body of %i bytes in three pieces arrives whole',
    async length => {
      const { origin, requests } = await wire.serve(echoNumber)
      const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 7919) & 0xff))
      const third = Math.ceil(length / 3)
      const body = [bytes.subarray(0, third), bytes.subarray(third, 2 * third), bytes.subarray(2 * third)]
      const calls = [1, 2].map(() => call(wire.transport, origin, { body }).outcome)
      expect(await Promise.all(calls)).toMatchObject([{ status: 200 }, { status: 200 }])
      expect(await call(wire.transport, origin, { body }).outcome).toMatchObject({ body: 'answer 2' })
      for (const request of requests) expect(request.body.equals(bytes)).toBe(true)
      expect(requests).toHaveLength(3)
    },
  )

  test.each<[string, Parameters<typeof call>[2]]>([
    ['a line end in a value', { headers: ['x-a', 'b\r\nx-c: d'] }],
    ['a line feed in a value', { headers: ['x-a', 'b\nx-c: d'] }],
    ['a NUL in a value', { headers: ['x-a', 'b\0'] }],
    ['a character beyond Latin-1 that folds into a line feed', { headers: ['x-a', 'b\u010ac'] }],
    ['a line end in a name', { headers: ['x-a: b\r\nx-c', 'd'] }],
    ['an empty name', { headers: ['', 'd'] }],
    ['a line end in a field of its own', { ownHeaders: ['x-a', 'b\r\nx-c: d'] }],
    ['a length of its own', { headers: ['Content-Length', '5'] }],
    ['a transfer coding', { headers: ['transfer-encoding', 'chunked'] }],
    ['an expectation', { headers: ['expect', '100-continue'] }],
    ['a host of its own', { ownHeaders: ['Host', 'elsewhere'] }],
    ['a line end in its path', { path: '/a HTTP/1.1\r\nx: y' }],
    ['a space in its path', { path: '/a b' }],
    ['a path that is none', { path: 'a' }],
  ])('with %s is not sent', async (_name, own) => {
    const server = await wire.serve(echoNumber)
    expect(await call(wire.transport, server.origin, own).outcome).toMatchObject({
      kind: 'failed',
      error: { kind: 'failed', detail: expect.stringMatching(/^UnsendableRequest/) },
    })
    expect(server.requests).toEqual([])
  })
})
