import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCaller } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import {
  type Answer,
  CHAT,
  expectEnvelope,
  expectError,
  MODEL,
  readAnswer,
  readStream,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { answerWell, beginSse, chatChunk } from '#test/support/upstream.ts'

const PATH = '/client/playground/chat/completions'

type Person = { readonly cookie: string; readonly accountId: string }

let stage: Stage
let ada: Person
let keyId: string
beforeAll(async () => {
  stage = await startStage()
  ada = await signUp('ada@example.org', 1_000)
  keyId = await makeKey(ada)
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.respond(answerWell))

async function signUp(email: string, credits: number): Promise<Person> {
  const { url, admin } = stage.gateway
  const reply = await fetch(`${url}/client/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery', name: 'A user' }),
  })
  const { account } = (await reply.json()) as { account: { id: string } } // the shape that the contract gives it
  if (credits > 0) {
    const grant = { amount: credits, kind: 'grant', note: '' }
    await admin.call('POST', `/admin/accounts/${account.id}/credits`, grant)
  }
  const cookie = reply.headers.getSetCookie().find(text => text.startsWith('goldweight_client='))
  return { cookie: cookie?.split(';', 1)[0] ?? '', accountId: account.id }
}

async function makeKey({ cookie }: Person, limits?: object): Promise<string> {
  const reply = await fetch(`${stage.gateway.url}/client/keys`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'playground' }),
  })
  const { id } = (await reply.json()) as { id: string } // the shape that the contract gives it
  if (limits) await stage.gateway.admin.call('PATCH', `/admin/keys/${id}`, { limits })
  return id
}

type Ask = { body?: unknown; key?: string; headers?: Record<string, string>; signal?: AbortSignal }

function open({ body = CHAT, key = keyId, headers = { cookie: ada.cookie }, signal }: Ask = {}) {
  return fetch(`${stage.gateway.url}${PATH}?key_id=${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })
}

const ask = async (options?: Ask): Promise<Answer> => readAnswer(await open(options))

describe('a chat of somebody who is signed in', () => {
  test('is answered, charged and recorded like any other, under the key that was chosen', async () => {
    const before = await stage.gateway.balanceOf(ada.accountId)
    const answer = await ask()
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject({ model: MODEL, usage: { total_tokens: 15 } })
    const record = await stage.recordOf(answer.requestId)
    expect(record).toMatchObject({
      key_id: keyId,
      endpoint: 'chat',
      status: 'succeeded',
      usage_source: 'upstream',
    })
    expect(record.credits).toBe((10 * 2 + 5 * 10) / 1_000_000)
    expect(before - (await stage.gateway.balanceOf(ada.accountId))).toBe(70n)
  })

  test('streams, and tells the same limits', async () => {
    const answer = await ask({ body: { ...STREAM, stream_options: { include_usage: true } } })
    expect(readStream(answer.text)).toMatchObject({ isDone: true, text: 'Hello there!' })
    expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('600')
    expect(answer.headers.get('x-concurrency-remaining')).toBe('31')
  })

  test('is for the pages of the portal alone, and is kept nowhere', async () => {
    const { headers } = await ask()
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('that is given up is cancelled upstream, and its slot is free', async () => {
    const key = await makeKey(ada, { concurrency: 1 })
    stage.upstream.respond((_request, response) => beginSse(response, [chatChunk({ content: 'Once' })]))
    const leaving = new AbortController()
    const response = await open({ body: STREAM, key, signal: leaving.signal })
    await response.body?.getReader().read()
    const cancelled = stage.upstream.cancelled.length
    leaving.abort()
    await eventually(() => expect(stage.upstream.cancelled.length).toBe(cancelled + 1))
    stage.upstream.respond(answerWell)
    await eventually(async () => expect((await ask({ key })).status).toBe(200))
  })
})

describe('the three controls', () => {
  test('the rate of the key', async () => {
    const key = await makeKey(ada, { requests: 1 })
    expect((await ask({ key })).status).toBe(200)
    const answer = await ask({ key })
    expectError(answer, 429, { type: 'rate_limit_exceeded', message: 'Rate limit exceeded' })
    expect(answer.headers.get('retry-after')).toBe('60')
  })

  test('its requests in flight', async () => {
    const key = await makeKey(ada, { concurrency: 1 })
    stage.upstream.respond((_request, response) => beginSse(response, [chatChunk({ content: 'Once' })]))
    const leaving = new AbortController()
    const held = await open({ body: STREAM, key, signal: leaving.signal })
    expectError(await ask({ key }), 429, { type: 'insufficient_quota', code: 'concurrency_limit' })
    // A response that nobody has in hand any more is given up when memory is tidied.
    expect(held.status).toBe(200)
    leaving.abort()
  })

  test("the account's credits", async () => {
    const poor = await signUp('poor@example.org', 0)
    const answer = await ask({ key: await makeKey(poor), headers: { cookie: poor.cookie } })
    expectError(answer, 429, { type: 'insufficient_quota', message: 'AI credit quota exhausted' })
  })
})

describe('nobody comes in', () => {
  test('with a token, whoever it belongs to', async () => {
    const { token, keyId: key } = await makeCaller(stage.gateway.admin)
    const answer = await ask({ key, headers: { authorization: `Bearer ${token}` } })
    expectError(answer, 401, { type: 'authentication_error' })
  })

  test("with another user's key, a revoked one, or none", async () => {
    const other = await signUp('other@example.org', 10)
    const revoked = await makeKey(ada)
    await fetch(`${stage.gateway.url}/client/keys/${revoked}`, {
      method: 'DELETE',
      headers: { cookie: ada.cookie },
    })
    const answers = [
      await ask({ headers: { cookie: other.cookie } }),
      await ask({ key: revoked }),
      await ask({ key: 'x' }),
    ]
    for (const answer of answers) expectError(answer, 404, { type: 'not_found_error' })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expectError(await ask({ key: '' }), 400, { type: 'invalid_request_error' })
  })

  test('from a foreign origin, though the cookie is right', async () => {
    const answer = await ask({ headers: { cookie: ada.cookie, origin: 'https://evil.example' } })
    expectError(answer, 403, { type: 'permission_error' })
  })

  test.each([
    ['{"model": ', 'application/json', 400],
    [JSON.stringify({ model: 'none', messages: CHAT.messages }), 'application/json', 404],
    [JSON.stringify(CHAT), 'text/plain', 415],
  ])('with the body %s as %s: %d', async (body, type, status) => {
    const answer = await ask({ body, headers: { cookie: ada.cookie, 'content-type': type } })
    expect(answer.status).toBe(status)
    expectEnvelope(answer.text, {
      type: 'invalid_request_error',
      code: status === 404 ? 'model_not_found' : null,
    })
  })
})
