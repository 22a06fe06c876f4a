import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCaller, makeModel, type NewCaller } from '#test/support/admin-client.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import {
  answerWell,
  beginSse,
  chatReply,
  chatStream,
  sendJson,
  startUpstream,
  type Upstream,
} from '#test/support/upstream.ts'

let gateway: TestGateway
let upstream: Upstream
let caller: NewCaller

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startGateway()
  await makeModel(gateway.admin, 'public/model', {
    routes: [{ baseUrl: upstream.baseUrl }],
    endpoints: ['chat', 'embeddings'],
  })
  caller = await makeCaller(gateway.admin)
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})
beforeEach(() => upstream.respond(answerWell))

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const MESSAGES = [{ role: 'user', content: 'Hi' }]

describe('bytes pass through', () => {
  test('the request goes up byte for byte but for the model, unknown fields and spaces included', async () => {
    const body =
      '{ "messages":[{"role":"user","content":"é\\u00e9"}] ,"top_k" : 3.0, "model" : "public/model"}'
    await post('/v1/chat/completions', body)
    expect(upstream.requests.at(-1)?.bytes.toString()).toBe(
      body.replace('"public/model"', '"upstream-model"'),
    )
  })

  test('the answer comes down byte for byte but for the model', async () => {
    const answer = `{"id" : "x", "odd":[1.0], "model":"upstream-model","choices":[{"index":0,"message":{"content":"a"}}]}`
    upstream.respond((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer),
    )
    const response = await post('/v1/chat/completions', { model: 'public/model', messages: MESSAGES })
    expect(await response.text()).toBe(answer.replace('"upstream-model"', '"public/model"'))
  })

  test('an answer that is JSON is told as JSON, whatever its upstream calls it', async () => {
    upstream.respond((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(JSON.stringify(chatReply('<b>'))),
    )
    const response = await post('/v1/chat/completions', { model: 'public/model', messages: MESSAGES })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })
})

describe('usage chunks', () => {
  test('a client that did not ask for usage sees none, and is charged by the report', async () => {
    const before = await gateway.balanceOf(caller.accountId)
    const response = await post('/v1/chat/completions', {
      model: 'public/model',
      messages: MESSAGES,
      stream: true,
    })
    const text = await response.text()
    expect(text).not.toContain('"usage"')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(upstream.requests.at(-1)?.body.stream_options).toEqual({ include_usage: true })
    expect(before - (await gateway.balanceOf(caller.accountId))).toBe(70n)
  })

  test('a client that asked for usage sees the chunk', async () => {
    const response = await post('/v1/chat/completions', {
      model: 'public/model',
      messages: MESSAGES,
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(await response.text()).toContain('"prompt_tokens":10')
  })
})

test('an upstream that reports nothing is metered by an estimate, marked as such', async () => {
  upstream.respond((_request, response) =>
    sendJson(response, chatReply('Hello there, how are you?', { usage: null })),
  )
  const response = await post('/v1/chat/completions', { model: 'public/model', messages: MESSAGES })
  const id = response.headers.get('x-request-id')
  expect(response.status).toBe(200)
  const { data } = await gateway.admin.call<{ data: Record<string, never>[] }>(
    'GET',
    '/admin/requests?limit=1',
  )
  expect(data[0]).toMatchObject({ id, usage_source: 'estimate', status: 'succeeded', usage: { output: 7 } })
  expect(Number(data[0]?.credits)).toBeGreaterThan(0)
})

test('a stream without a report is metered by an estimate of what was generated', async () => {
  upstream.respond((_request, response) => {
    beginSse(response, chatStream(['Hello', ' there'], { usage: null }))
    response.end()
  })
  await (
    await post('/v1/chat/completions', { model: 'public/model', messages: MESSAGES, stream: true })
  ).text()
  const { data } = await gateway.admin.call<{ data: Record<string, never>[] }>(
    'GET',
    '/admin/requests?limit=1',
  )
  expect(data[0]).toMatchObject({
    usage_source: 'estimate',
    status: 'succeeded',
    stream: true,
    usage: { output: 2 },
  })
})
