/** Whatever an upstream answers, the caller gets one error of the contract, pays nothing and learns no secret. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeModel } from '#test/support/admin-client.ts'
import {
  type Answer,
  CHAT,
  CHAT_PATH,
  EMBEDDINGS,
  type ExpectedError,
  expectEnvelope,
  expectError,
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
  sendJson,
  type UpstreamHandler,
} from '#test/support/upstream.ts'

const TIMEOUTS = { connect_ms: 1_000, first_byte_ms: 100, idle_ms: 100 }

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  await makeModel(stage.gateway.admin, 'impatient', {
    routes: [{ baseUrl: stage.upstream.baseUrl, timeouts: TIMEOUTS }],
  })
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.respond(answerWell))

/** Expects an error that is on record and cost nothing. */
async function expectFreeError(answer: Answer, status: number, expected: ExpectedError): Promise<void> {
  expectError(answer, status, expected)
  expect(await stage.recordOf(answer.requestId)).toMatchObject({
    status: 'failed',
    http_status: status,
    credits: 0,
    usage: { input: 0, cache_read: 0, cache_write: 0, output: 0 },
    usage_source: null,
    error: { type: expected.type, code: expected.code ?? null },
  })
}

const BODIES: readonly [name: string, path: string, body: object][] = [
  ['a plain call', CHAT_PATH, CHAT],
  ['a stream', CHAT_PATH, STREAM],
  ['embeddings', '/v1/embeddings', EMBEDDINGS],
]

type Refusal = readonly [upstreamStatus: number, status: number, type: string, code: string | null]

const REFUSALS: readonly Refusal[] = [
  [400, 400, 'invalid_request_error', 'their_code'],
  [404, 404, 'invalid_request_error', 'their_code'],
  [413, 413, 'invalid_request_error', 'their_code'],
  [422, 422, 'invalid_request_error', 'their_code'],
  [401, 502, 'upstream_error', null],
  [403, 502, 'upstream_error', null],
  [429, 429, 'upstream_rate_limited', 'upstream_rate_limited'],
  [500, 502, 'upstream_error', null],
  [502, 502, 'upstream_error', null],
  [503, 502, 'upstream_error', null],
  [529, 502, 'upstream_error', null],
]

describe.each(BODIES)('%s', (_name, path, body) => {
  test.each(REFUSALS)(
    'that the upstream answers with %i is %i',
    async (upstreamStatus, status, type, code) => {
      const message = 'max_tokens is too large: 5000'
      stage.upstream.respond((_request, response) =>
        sendJson(
          response,
          { error: { message, type: 'their_type', param: 'max_tokens', code: 'their_code' } },
          upstreamStatus,
        ),
      )
      const answer = await stage.call(path, body)
      await expectFreeError(answer, status, {
        type,
        code,
        ...(type === 'invalid_request_error' ? { message } : {}),
      })
    },
  )

  test.each([
    ['no JSON at all', 'Bad Request'],
    ['a page', '<html><body>Bad Request</body></html>'],
    ['nothing', ''],
  ])('that the upstream refuses with %s is refused in our envelope', async (_what, text) => {
    stage.upstream.respond((_request, response) => response.writeHead(400).end(text))
    await expectFreeError(await stage.call(path, body), 400, { type: 'invalid_request_error' })
  })

  test.each([301, 302, 303, 307, 308])('is not sent after a redirect (%i)', async status => {
    let followed = 0
    const elsewhere = createServer((_request, response) => {
      followed++
      response.end('{}')
    })
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
    const { port } = elsewhere.address() as AddressInfo // a server that listens on a port has one
    stage.upstream.respond((_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end(),
    )
    const answer = await stage.call(path, body)
    elsewhere.close()
    await expectFreeError(answer, 502, { type: 'upstream_error' })
    expect(answer.headers.get('location')).toBeNull()
    expect(followed).toBe(0)
  })

  test.each([
    ['an error object', { error: { message: 'it broke', type: 'server_error', code: null } }],
    ['an error as text', { error: 'it broke' }],
  ])('that is answered 200 with %s inside has failed', async (_what, answered) => {
    stage.upstream.respond((_request, response) => sendJson(response, answered))
    await expectFreeError(await stage.call(path, body), 502, { type: 'upstream_error' })
  })
})

describe('our own credential', () => {
  test.each([400, 401, 403, 500])('never shows, though the upstream repeats it in a %i', async status => {
    const credential = 'sk-upstream-0'
    stage.upstream.respond(({ headers }, response) => {
      expect(headers.authorization).toBe(`Bearer ${credential}`)
      sendJson(
        response,
        { error: { message: `Incorrect API key provided: ${credential}`, code: `no ${credential}` } },
        status,
      )
    })
    const answer = await stage.call(CHAT_PATH, CHAT)
    expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(credential)
  })

  test('never shows, though the upstream repeats it within a stream', async () => {
    stage.upstream.respond((_request, response) => {
      beginSse(response, [
        chatChunk({ content: 'a' }),
        { error: { message: 'bad key sk-upstream-0', code: 400 } },
      ])
      response.end()
    })
    const answer = await stage.call(CHAT_PATH, STREAM)
    expect(readStream(answer.text).error).toMatchObject({ message: expect.any(String) })
    expect(answer.text).not.toContain('sk-upstream-0')
  })
})

describe('when the upstream throttles', () => {
  test.each([
    ['seconds', { 'retry-after': '7' }, /^7$/],
    ['seconds with a fraction', { 'retry-after': '6.2' }, /^7$/],
    ['a date', { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }, /^(5\d|60)$/],
    ['milliseconds', { 'retry-after-ms': '1200' }, /^2$/],
    ['milliseconds beside seconds', { 'retry-after-ms': '1200', 'retry-after': '3' }, /^[23]$/],
  ])('its Retry-After in %s is handed on in whole seconds', async (_name, headers, expected) => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, { error: { message: 'slow down' } }, 429, headers),
    )
    const answer = await stage.call(CHAT_PATH, CHAT)
    await expectFreeError(answer, 429, { type: 'upstream_rate_limited', code: 'upstream_rate_limited' })
    expect(answer.headers.get('retry-after')).toMatch(expected)
  })

  test('without a Retry-After, none is made up', async () => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, { error: { message: 'slow down' } }, 429),
    )
    expect((await stage.call(CHAT_PATH, CHAT)).headers.get('retry-after')).toBeNull()
  })
})

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
    await expectFreeError(await stage.call(CHAT_PATH, body), 502, { type: 'upstream_error' })
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
  await expectFreeError(await stage.call(CHAT_PATH, STREAM), 502, { type: 'upstream_error' })
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
    await expectFreeError(await stage.call(CHAT_PATH, body), 504, { type: 'upstream_timeout' })
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
        if (++comments < 8) return
        clearInterval(timer)
        response.end(event(chatChunk({ content: 'lo' }, 'stop')))
      }, 25)
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
  await expectFreeError(await stage.call(CHAT_PATH, { ...CHAT, model: 'gone' }), 502, {
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
