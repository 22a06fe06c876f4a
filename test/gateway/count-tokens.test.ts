/** `POST /v1/messages/count_tokens`: free, under the rate limit alone, by the upstream where it counts, else by us. */
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeCaller, makeModel } from '#test/support/admin-client.ts'
import { readBooks } from '#test/support/books.ts'
import { type Stage, startStage } from '#test/support/stage.ts'
import { sendJson } from '#test/support/upstream.ts'

const PATH = '/v1/messages/count_tokens'
const QUESTION = {
  system: 'Be brief.',
  messages: [{ role: 'user' as const, content: 'Hello there, how are you today?' }],
}

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  for (const kind of ['anthropic', 'openai']) {
    await makeModel(stage.gateway.admin, `by-${kind}`, {
      routes: [{ baseUrl: stage.upstream.baseUrl, kind }],
    })
  }
  await makeModel(stage.gateway.admin, 'vectors', {
    routes: [{ baseUrl: stage.upstream.baseUrl }],
    endpoints: ['embeddings'],
  })
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.requests.length = 0
  stage.upstream.respond((_request, response) => sendJson(response, { input_tokens: 77 }))
})

test('an upstream that counts is asked under its own name of the model', async () => {
  const client = new Anthropic({ apiKey: stage.caller.token, baseURL: stage.gateway.url, maxRetries: 0 })
  expect(await client.messages.countTokens({ model: 'by-anthropic', ...QUESTION })).toEqual({
    input_tokens: 77,
  })
  expect(stage.upstream.requests).toMatchObject([
    { path: PATH, body: { model: 'upstream-model', ...QUESTION } },
  ])
})

test('elsewhere it is our own estimate, and nobody is asked', async () => {
  const answer = await stage.call(PATH, { model: 'by-openai', ...QUESTION })
  expect(answer.status).toBe(200)
  const { input_tokens: count } = JSON.parse(answer.text)
  // Twelve words and marks, and what wraps them.
  expect(count).toBeGreaterThan(10)
  expect(count).toBeLessThan(25)
  expect(stage.upstream.requests).toEqual([])
})

test('an upstream that fails leaves it to the estimate, without a word against its route', async () => {
  stage.upstream.respond((_request, response) => response.writeHead(404).end('404 page not found'))
  const answer = await stage.call(PATH, { model: 'by-anthropic', ...QUESTION })
  expect(answer.status).toBe(200)
  const catalogue = await stage.call('/v1/catalog/models/by-anthropic')
  expect(JSON.parse(catalogue.text).status).toBe('available')
})

test('what an upstream refuses is refused', async () => {
  stage.upstream.respond((_request, response) =>
    sendJson(
      response,
      { type: 'error', error: { type: 'invalid_request_error', message: 'tools: bad' } },
      400,
    ),
  )
  const answer = await stage.call(PATH, { model: 'by-anthropic', ...QUESTION })
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.text)).toMatchObject({ type: 'error', error: { message: 'tools: bad' } })
})

test.each([
  [{ model: 'none', ...QUESTION }, 404, 'not_found_error'],
  [{ model: 'vectors', ...QUESTION }, 400, 'invalid_request_error'],
  [{ model: 'by-openai' }, 400, 'invalid_request_error'],
])('%o is refused with %d', async (body, status, type) => {
  const answer = await stage.call(PATH, body)
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.text).error.type).toBe(type)
})

test('it needs a key, no credits and no slot, and has its place in the rate window', async () => {
  expect((await stage.call(PATH, { model: 'by-openai', ...QUESTION }, { token: 'gw_x' })).status).toBe(401)
  const caller = await makeCaller(stage.gateway.admin, { credits: 0, limits: { requests: 2 } })
  const ask = () => stage.call(PATH, { model: 'by-openai', ...QUESTION }, { token: caller.token })
  const first = await ask()
  expect(first.status).toBe(200)
  expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('1')
  expect((await ask()).status).toBe(200)
  expect((await ask()).status).toBe(429)
  // It is no request on the books.
  expect((await readBooks(stage.gateway.app.storage, caller.accountId)).requests).toEqual([])
})
