/** The contract's table of errors on the routes of Anthropic's dialect: same statuses and causes, in its words. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCaller, makeModel } from '#test/support/admin-client.ts'
import { messagesWire } from '#test/support/dialects.ts'
import { type Answer, type CallOptions, type Stage, startStage } from '#test/support/stage.ts'
import { sendJson } from '#test/support/upstream.ts'

const MODEL = 'claude'
const PATH = '/v1/messages'
const BODY = messagesWire.body(MODEL, false)

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  await makeModel(stage.gateway.admin, MODEL, {
    routes: [{ baseUrl: stage.upstream.baseUrl, kind: 'anthropic' }],
  })
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.respond((_request, response) => sendJson(response, messagesWire.reply('upstream-model')))
})

/** Expects the envelope of Anthropic's API and nothing beside it. */
function expectAnthropicError(answer: Answer, status: number, type: string, message?: string | RegExp): void {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status })
  const body = JSON.parse(answer.text)
  expect(body).toEqual({
    type: 'error',
    error: { type, message: expect.any(String) },
    request_id: answer.requestId,
  })
  if (message !== undefined) expect(body.error.message).toMatch(message)
  expect(answer.requestId).toMatch(/^req_[0-9a-z]+$/)
  expect(answer.headers.get('request-id')).toBe(answer.requestId)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
}

describe('where the key may stand', () => {
  const call = (headers: Record<string, string>) =>
    stage.call(PATH, BODY, { headers: { authorization: '', ...headers } })

  test('in x-api-key', async () => {
    expect((await call({ 'x-api-key': stage.caller.token })).status).toBe(200)
  })

  test('in Authorization', async () => {
    expect((await call({ authorization: `Bearer ${stage.caller.token}` })).status).toBe(200)
  })

  test("beside a key of the vendor's in the other header", async () => {
    const { token } = stage.caller
    expect((await call({ authorization: `Bearer ${token}`, 'x-api-key': 'sk-ant-1' })).status).toBe(200)
    expect((await call({ authorization: 'Bearer sk-ant-1', 'x-api-key': token })).status).toBe(200)
  })

  test.each([
    ['none', {}],
    ['one of the vendor', { 'x-api-key': 'sk-ant-api03-abc' }],
    ['one that is unknown', { 'x-api-key': `gw_${'0'.repeat(49)}` }],
  ])('%s is refused', async (_what, headers) => {
    expectAnthropicError(await call(headers), 401, 'authentication_error', /x-api-key/)
  })

  test("x-api-key is worth nothing on OpenAI's routes", async () => {
    const answer = await stage.call(
      '/v1/chat/completions',
      {},
      {
        headers: { authorization: '', 'x-api-key': stage.caller.token },
      },
    )
    expect(answer.status).toBe(401)
  })
})

type Case = {
  readonly name: string
  readonly path?: string
  readonly body?: unknown
  readonly options?: CallOptions
  readonly status: number
  readonly type: string
  readonly message?: RegExp
}

const CASES: Case[] = [
  { name: 'no JSON', body: '{', status: 400, type: 'invalid_request_error', message: /JSON/ },
  {
    name: 'no messages',
    body: { ...BODY, messages: [] },
    status: 400,
    type: 'invalid_request_error',
    message: /^messages/,
  },
  {
    name: 'no max_tokens',
    body: { ...BODY, max_tokens: undefined },
    status: 400,
    type: 'invalid_request_error',
    message: /^max_tokens/,
  },
  {
    name: 'two models',
    body: `{"model":"x",${JSON.stringify(BODY).slice(1)}`,
    status: 400,
    type: 'invalid_request_error',
    message: /twice/,
  },
  {
    name: 'an unknown model',
    body: { ...BODY, model: 'none' },
    status: 404,
    type: 'not_found_error',
    message: /none/,
  },
  {
    name: 'another type of body',
    body: 'x',
    options: { headers: { 'content-type': 'text/plain' } },
    status: 415,
    type: 'invalid_request_error',
  },
  { name: 'another method', options: { method: 'GET' }, status: 405, type: 'invalid_request_error' },
  {
    name: 'a route below that there is not',
    path: '/v1/messages/batches',
    body: {},
    status: 404,
    type: 'not_found_error',
  },
]

describe('refusals of our own', () => {
  test.each(CASES)('$name', async ({ path = PATH, body, options, status, type, message }) => {
    const answer = await stage.call(path, body, options)
    expectAnthropicError(answer, status, type, message)
    if (status === 405) expect(answer.headers.get('allow')).toBe('POST')
  })

  test('a body that is too large', async () => {
    const body = JSON.stringify({ ...BODY, system: 'x'.repeat(33 * 1024 * 1024) })
    expectAnthropicError(await stage.call(PATH, body), 413, 'request_too_large')
  })

  test('too many requests', async () => {
    const { token } = await makeCaller(stage.gateway.admin, { limits: { requests: 1 } })
    await stage.call(PATH, BODY, { token })
    const answer = await stage.call(PATH, BODY, { token })
    expectAnthropicError(answer, 429, 'rate_limit_error', /^Rate limit exceeded$/)
    expect(answer.headers.get('retry-after')).toBe('60')
  })

  test('no credits', async () => {
    const { token } = await makeCaller(stage.gateway.admin, { credits: 0 })
    const answer = await stage.call(PATH, BODY, { token })
    expectAnthropicError(answer, 429, 'rate_limit_error', /^AI credit quota exhausted$/)
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(answer.headers.get('x-should-retry')).toBe('false')
  })

  test('all slots taken', async () => {
    const { token } = await makeCaller(stage.gateway.admin, { limits: { concurrency: 1 } })
    const held = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    stage.upstream.respond(async (_request, response) => {
      asked.resolve()
      await held.promise
      sendJson(response, messagesWire.reply('upstream-model'))
    })
    const first = stage.call(PATH, BODY, { token })
    await asked.promise
    expectAnthropicError(await stage.call(PATH, BODY, { token }), 429, 'rate_limit_error')
    held.resolve()
    expect((await first).status).toBe(200)
  })
})

describe("what the upstream's errors come to", () => {
  test.each([
    [400, { type: 'invalid_request_error', message: 'messages: bad' }, 400, 'invalid_request_error', /bad/],
    [413, { type: 'request_too_large', message: 'too big' }, 413, 'request_too_large', /too big/],
    [401, { type: 'authentication_error', message: 'invalid x-api-key' }, 502, 'api_error', /failed/],
    [402, { type: 'billing_error', message: 'no money' }, 502, 'api_error', /failed/],
    [429, { type: 'rate_limit_error', message: 'slow down' }, 429, 'rate_limit_error', /upstream/],
    [529, { type: 'overloaded_error', message: 'Overloaded' }, 502, 'api_error', /failed/],
    [500, { type: 'api_error', message: 'Internal' }, 502, 'api_error', /failed/],
  ])('%d %o', async (upstreamStatus, error, status, type, message) => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, { type: 'error', error }, upstreamStatus, { 'retry-after': '7' }),
    )
    const answer = await stage.call(PATH, BODY)
    expectAnthropicError(answer, status, type, message)
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '7' : null)
    expect(await stage.recordOf(answer.requestId)).toMatchObject({
      status: 'failed',
      endpoint: 'messages',
      http_status: status,
      credits: 0,
    })
  })

  test('an error as the first event is no stream', async () => {
    stage.upstream.respond((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(messagesWire.errorEvent)
    })
    expectAnthropicError(await stage.call(PATH, { ...BODY, stream: true }), 502, 'api_error')
  })
})

describe('headers', () => {
  test('version and betas go on to the upstream; the version has a default', async () => {
    await stage.call(PATH, BODY, {
      headers: { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a-1,b-2', 'x-other': '1' },
    })
    const { headers } = stage.upstream.requests.at(-1) ?? {}
    expect(headers).toMatchObject({
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'a-1,b-2',
      'x-api-key': 'sk-upstream-0',
    })
    expect(headers).not.toHaveProperty('x-other')
    expect(headers).not.toHaveProperty('authorization')
    await stage.call(PATH, BODY)
    expect(stage.upstream.requests.at(-1)?.headers['anthropic-version']).toBe('2023-06-01')
  })
})

describe('below /v1/responses', () => {
  test.each(['GET', 'DELETE', 'POST'])('%s: nothing is kept there', async method => {
    const answer = await stage.call('/v1/responses/resp_1', undefined, { method })
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text).error).toMatchObject({ type: 'not_found_error', code: null })
  })

  test('GET on the route itself', async () => {
    const answer = await stage.call('/v1/responses')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  })

  test('an answer in the background could not be fetched, and is refused', async () => {
    const answer = await stage.call('/v1/responses', { model: 'public/model', input: 'Hi', background: true })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text).error.message).toMatch(/^background: /)
  })
})
