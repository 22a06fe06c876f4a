/** Whatever an upstream sends instead of an answer, or never sends: one error of the contract, and no charge. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeModel } from '#test/support/admin-client.ts'
import {
  CHAT,
  CHAT_PATH,
  expectEnvelope,
  readStream,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import {
  answerWell,
  beginSse,
  chatChunk,
  chatReply,
  chatStream,
  event,
  type UpstreamHandler,
} from '#test/support/upstream.ts'

const TIMEOUTS = { connect_ms: 1_000, first_byte_ms: 300, idle_ms: 300 }

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  await makeModel(stage.gateway.admin, 'impatient', {
    routes: [{ baseUrl: stage.upstream.baseUrl, timeouts: TIMEOUTS }],
  })
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.respond(answerWell))

const send =
  (text: string | Buffer, headers: Record<string, string> = {}): UpstreamHandler =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text)
const GOOD = JSON.stringify(chatReply('Hello'))

const GARBAGE: readonly [name: string, handler: UpstreamHandler][] = [
  ['garbage', send('{"choices": [')],
  ['a page', send('<!doctype html><title>Welcome</title>', { 'content-type': 'text/html' })],
  ['an empty body', send('')],
  ['null', send('null')],
  ['a list', send('[]')],
  ['an object of another shape', send('{"ok": true}')],
  ['an answer without choices', send('{"choices": []}')],
  [
    'a body that ends before its length',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': GOOD.length + 10 })
      response.write(GOOD, () => response.socket?.destroy())
    },
  ],
  [
    'a body that is cut off',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(GOOD.slice(0, 50), () => response.socket?.destroy())
    },
  ],
  ['bytes that were not asked for', send(gzipSync(GOOD), { 'content-encoding': 'gzip' })],
  ['nothing but a closed connection', (_request, response) => response.socket?.destroy()],
]

describe.each(GARBAGE)('an upstream that sends %s', (_name, handler) => {
  test.each([
    ['plain call', CHAT],
    ['stream', STREAM],
  ])('has failed (%s)', async (_kind, body) => {
    stage.upstream.respond(handler)
    await stage.expectFreeError(await stage.call(CHAT_PATH, body), 502, { type: 'upstream_error' })
    expect(stage.upstream.requests.at(-1)?.headers['accept-encoding']).toBe('identity')
  })
})

const stream = (text: string): UpstreamHandler => send(text, { 'content-type': 'text/event-stream' })

test.each([
  ['nothing at all', stream('')],
  ['nothing but comments', stream(': hello\n\n: are you there?\n\n')],
  ['nothing but [DONE]', stream('data: [DONE]\n\n')],
  ['garbage first', stream('data: {"choices\n\n')],
  [
    'an error as its first event',
    stream(event({ error: { message: 'overloaded', type: 'overloaded_error' } })),
  ],
  ['a named error event first', stream('event: error\ndata: {"message":"overloaded"}\n\n')],
  [
    'compressed events',
    send(gzipSync(chatStream(['a']).map(event).join('')), {
      'content-type': 'text/event-stream',
      'content-encoding': 'gzip',
    }),
  ],
])('a stream of %s is no answer: the status says so', async (_name, handler) => {
  stage.upstream.respond(handler)
  await stage.expectFreeError(await stage.call(CHAT_PATH, STREAM), 502, { type: 'upstream_error' })
})

test.each([
  ['an error', event({ error: { message: 'overloaded', type: 'overloaded_error', code: null } })],
  ['a named error', 'event: error\ndata: {"message":"overloaded"}\n\n'],
  [
    'an error beside empty choices',
    event({ ...chatChunk({}), choices: [], error: { message: 'overloaded' } }),
  ],
  ['garbage', 'data: {"choices\n\n'],
])(
  '%s as a later event ends the stream with an error in our envelope, and costs nothing',
  async (_name, failing) => {
    stage.upstream.respond((_request, response) => {
      beginSse(response, [chatChunk({ role: 'assistant' }), chatChunk({ content: 'Hel' })])
      response.end(failing + event('[DONE]'))
    })
    const answer = await stage.call(CHAT_PATH, STREAM)
    const seen = readStream(answer.text)
    expect(answer.status).toBe(200)
    expect(seen).toMatchObject({ text: 'Hel', finishReasons: [], isDone: false })
    expect(answer.text).not.toContain('[DONE]')
    expectEnvelope(seen.last ?? '', { type: 'upstream_error' })
    expect(await stage.recordOf(answer.requestId)).toMatchObject({
      status: 'failed',
      http_status: 200,
      credits: 0,
      error: { type: 'upstream_error', code: null },
    })
  },
)

test.each([
  ['an error', event({ error: { message: 'too late' } })],
  ['garbage', 'data: {"choices\n\n'],
])('%s after the finish reason takes nothing from a complete answer', async (_name, late) => {
  stage.upstream.respond((_request, response) => {
    beginSse(response, [chatChunk({ content: 'Hello' }), chatChunk({}, 'stop')])
    response.end(late)
  })
  const answer = await stage.call(CHAT_PATH, STREAM)
  expect(readStream(answer.text)).toMatchObject({
    text: 'Hello',
    finishReasons: ['stop'],
    isDone: true,
    error: null,
  })
  expect((await stage.recordOf(answer.requestId)).status).toBe('succeeded')
})

const silence = () => {}
const onlyHeaders = (type: string) => (_request: unknown, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': type }).flushHeaders()
}
const IMPATIENT = { ...CHAT, model: 'impatient' }

describe('an upstream that falls silent', () => {
  test.each<[string, UpstreamHandler, object]>([
    ['before its headers', silence, IMPATIENT],
    ['before its headers, streaming', silence, { ...IMPATIENT, stream: true }],
    ['after its headers', onlyHeaders('application/json'), IMPATIENT],
    ['after its headers, streaming', onlyHeaders('text/event-stream'), { ...IMPATIENT, stream: true }],
    [
      'within its answer',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).write(GOOD.slice(0, 40)),
      IMPATIENT,
    ],
    [
      'within its first event',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"ch'),
      { ...IMPATIENT, stream: true },
    ],
  ])('%s was too slow', async (_name, handler, body) => {
    stage.upstream.respond(handler)
    await stage.expectFreeError(await stage.call(CHAT_PATH, body), 504, { type: 'upstream_timeout' })
  })

  test('within a stream ends it with the error', async () => {
    stage.upstream.respond((_request, response) => beginSse(response, [chatChunk({ content: 'Hel' })]))
    const answer = await stage.call(CHAT_PATH, { ...IMPATIENT, stream: true })
    const seen = readStream(answer.text)
    expect(seen).toMatchObject({ text: 'Hel', finishReasons: [], isDone: false })
    expectEnvelope(seen.last ?? '', { type: 'upstream_timeout' })
    expect(await stage.recordOf(answer.requestId)).toMatchObject({ status: 'failed', credits: 0 })
  })

  test('after its finish reason has answered', async () => {
    stage.upstream.respond((_request, response) => beginSse(response, chatStream(['Hello']).slice(0, -1)))
    const answer = await stage.call(CHAT_PATH, { ...IMPATIENT, stream: true })
    expect(readStream(answer.text)).toMatchObject({ text: 'Hello', isDone: true, error: null })
    expect(await stage.recordOf(answer.requestId)).toMatchObject({ status: 'succeeded', credits: 0.00007 })
  })

  test('but writes comments meanwhile is alive', async () => {
    stage.upstream.respond((_request, response) => {
      beginSse(response, [chatChunk({ content: 'Hel' })])
      let comments = 0
      const timer = setInterval(() => {
        response.write(': working\n\n')
        if (++comments < 10) return
        clearInterval(timer)
        response.end(event(chatChunk({ content: 'lo' }, 'stop')))
      }, 50)
    })
    const answer = await stage.call(CHAT_PATH, { ...IMPATIENT, stream: true })
    expect(readStream(answer.text)).toMatchObject({ text: 'Hello', isDone: true })
  })
})

test('an upstream that refuses the connection has failed', async () => {
  const gone = createServer()
  await new Promise<void>(resolve => gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address() as AddressInfo // a server that listens on a port has one
  await new Promise(resolve => gone.close(resolve))
  await makeModel(stage.gateway.admin, 'gone', { routes: [{ baseUrl: `http://127.0.0.1:${port}/v1` }] })
  await stage.expectFreeError(await stage.call(CHAT_PATH, { ...CHAT, model: 'gone' }), 502, {
    type: 'upstream_error',
  })
})

test('an upstream that gives every answer the same id has each of them charged', async () => {
  const before = await stage.gateway.balanceOf(stage.caller.accountId)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_call, at) => stage.call(CHAT_PATH, at % 2 ? CHAT : STREAM)),
  )
  expect(new Set(answers.map(answer => answer.requestId)).size).toBe(100)
  for (const { requestId } of answers) expect((await stage.recordOf(requestId)).credits).toBe(0.00007)
  expect(before - (await stage.gateway.balanceOf(stage.caller.accountId))).toBe(100n * 70n)
})
