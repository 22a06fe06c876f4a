/** Whatever is true of every protected route, asked of every one of them: a route that is not looked at here fails. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { listGatewayRoutes } from '#gateway/edge/routes.ts'
import { makeCaller, makeModel, type NewCaller } from '#test/support/admin-client.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { messagesWire, responsesWire } from '#test/support/dialects.ts'
import { expectEnvelope, type Stage, startStage } from '#test/support/stage.ts'
import { answerWell, sendJson, type UpstreamHandler } from '#test/support/upstream.ts'

const MODEL = 'any'
const MESSAGES = [{ role: 'user', content: 'Hi' }]
const ENDPOINTS = [
  ...['chat', 'embeddings', 'completions', 'moderations', 'speech', 'transcriptions', 'translations'],
  ...['images', 'image_edits', 'image_variations', 'rerank'],
]
const UNIT_WEIGHTS = { image: 0.04, second: 0.0001, search: 0.002, character: 15 }
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

const reply =
  (body: object): UpstreamHandler =>
  (_request, response) =>
    sendJson(response, body)
const images = reply({ created: 1, data: [{ b64_json: 'aGk=' }] })
const speech: UpstreamHandler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'audio/mpeg' })
  response.end(Buffer.alloc(2_000, 7))
}

/** A field for a file makes a request form data. */
type Asked = {
  readonly body: Record<string, unknown>
  readonly file?: string
  readonly upstream: UpstreamHandler
}

/** What is asked on each route that is charged, and what an upstream says to it. */
const CHARGED: Readonly<Record<string, Asked>> = {
  '/v1/chat/completions': { body: { messages: MESSAGES }, upstream: answerWell },
  '/v1/messages': {
    body: { max_tokens: 10, messages: MESSAGES },
    upstream: reply(messagesWire.reply('upstream-model')),
  },
  '/v1/responses': { body: { input: 'Hi' }, upstream: reply(responsesWire.reply('upstream-model')) },
  '/v1/embeddings': { body: { input: 'Hi' }, upstream: answerWell },
  '/v1/completions': {
    body: { prompt: 'Hi' },
    upstream: reply({
      model: 'm',
      choices: [{ index: 0, text: 'Hello', finish_reason: 'stop' }],
      usage: USAGE,
    }),
  },
  '/v1/moderations': {
    body: { input: 'Hi' },
    upstream: reply({ model: 'm', results: [{ flagged: false }] }),
  },
  '/v1/images/generations': { body: { prompt: 'A cat' }, upstream: images },
  '/v1/images/edits': { body: { prompt: 'A dog' }, file: 'image', upstream: images },
  '/v1/images/variations': { body: {}, file: 'image', upstream: images },
  '/v1/audio/speech': { body: { input: 'Hello', voice: 'alloy' }, upstream: speech },
  '/v1/audio/transcriptions': {
    body: {},
    file: 'file',
    upstream: reply({ text: 'Hi', usage: { type: 'duration', seconds: 3 } }),
  },
  '/v1/audio/translations': {
    body: {},
    file: 'file',
    upstream: reply({ text: 'Hi', usage: { type: 'duration', seconds: 3 } }),
  },
  '/v1/rerank': {
    body: { query: 'Hi', documents: ['a', 'b'] },
    upstream: reply({ results: [{ index: 0, relevance_score: 1 }] }),
  },
}

/** Routes that take a key and cost nothing. */
const FREE: Readonly<Record<string, object | null>> = {
  '/v1/quota': null,
  '/v1/messages/count_tokens': { model: MODEL, messages: MESSAGES },
}

let stage: Stage
let caller: NewCaller
beforeAll(async () => {
  stage = await startStage()
  caller = await makeCaller(stage.gateway.admin)
  await makeModel(stage.gateway.admin, MODEL, {
    routes: [{ baseUrl: stage.upstream.baseUrl }],
    endpoints: ENDPOINTS,
    unitWeights: UNIT_WEIGHTS,
  })
  await makeModel(stage.gateway.admin, 'messages', {
    routes: [{ kind: 'anthropic', baseUrl: stage.upstream.baseUrl }],
  })
})
afterAll(() => stage.close())

function send(path: string, { body, file }: Omit<Asked, 'upstream'>, headers: Record<string, string>) {
  const model = path === '/v1/messages' ? 'messages' : MODEL
  const url = stage.gateway.url + path
  if (file === undefined) {
    const sent = { ...headers, 'content-type': 'application/json' }
    return fetch(url, { method: 'POST', headers: sent, body: JSON.stringify({ model, ...body }) })
  }
  const form = new FormData()
  for (const [name, value] of Object.entries({ model, ...body })) form.set(name, String(value))
  form.set(file, new File([Buffer.alloc(32_000)], 'a.bin'))
  return fetch(url, { method: 'POST', headers, body: form })
}

test('every route is here', () => {
  const here = [...Object.keys(CHARGED), ...Object.keys(FREE)]
  expect(here.sort()).toEqual(
    listGatewayRoutes()
      .map(({ path }) => path)
      .sort(),
  )
})

describe.each(listGatewayRoutes())('$method $path', ({ method, path }) => {
  const isAnthropic = path.startsWith('/v1/messages')

  test.each(['no key', 'a cookie', 'a wrong key'])('%s is 401, in the dialect of the route', async what => {
    const headers: Record<string, string> =
      {
        'no key': {},
        'a cookie': { cookie: 'goldweight_client=1; goldweight_admin=1' },
        'a wrong key': { authorization: `Bearer ${caller.token.slice(0, -1)}!` },
      }[what] ?? {}
    const response =
      method === 'GET'
        ? await fetch(stage.gateway.url + path, { headers })
        : await send(path, CHARGED[path] ?? { body: { messages: MESSAGES } }, headers)
    expect(response.status).toBe(401)
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    const text = await response.text()
    if (!isAnthropic) return expectEnvelope(text, { type: 'authentication_error' })
    expect(JSON.parse(text)).toEqual({
      type: 'error',
      error: { type: 'authentication_error', message: expect.any(String) },
      request_id: response.headers.get('x-request-id'),
    })
  })
})

test.each(Object.entries(CHARGED))('%s is metered and charged once', async (path, asked) => {
  stage.upstream.respond(asked.upstream)
  const before = await readBooks(stage.gateway.app.storage, caller.accountId)
  const response = await send(path, asked, { authorization: `Bearer ${caller.token}` })
  expect([response.status, await (await response.blob()).slice(0, 1).text()]).not.toEqual([200, ''])
  expect(response.status).toBe(200)
  const id = response.headers.get('x-request-id') ?? ''
  expect(response.headers.get('x-ratelimit-limit-requests')).toBe('600')
  expect(response.headers.get('x-concurrency-limit')).toBe('32')
  const after = await readBooks(stage.gateway.app.storage, caller.accountId)
  expectBooksToAddUp(after)
  const made = after.entries.slice(before.entries.length)
  expect(made.map(({ kind, request_id }) => [kind, request_id])).toEqual([['charge', id]])
  expect(made[0]?.amount_micros).toBeLessThan(0n)
  expect(after.requests.length).toBe(before.requests.length + 1)
  expect(await stage.recordOf(id)).toMatchObject({ status: 'succeeded', http_status: 200 })
})

test.each(Object.entries(FREE))('%s costs nothing', async (path, body) => {
  const before = await readBooks(stage.gateway.app.storage, caller.accountId)
  const answer = await stage.call(path, body ?? undefined, { token: caller.token })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('600')
  expect(await readBooks(stage.gateway.app.storage, caller.accountId)).toEqual(before)
})

test('all of it adds up', async () => {
  expect(await stage.gateway.app.storage.snapshot(verifyLedger)).toMatchObject({ ok: true })
})
