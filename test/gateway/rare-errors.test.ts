/** The rows of the error table that a caller seldom meets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeModel, signInAsAdmin } from '#test/support/admin-client.ts'
import {
  type CallOptions,
  CHAT,
  CHAT_PATH,
  EMBEDDINGS,
  expectError,
  MODEL,
  readAnswer,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { answerWell, sendJson } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

/** A user of the portal with a key; gives what calls the portal as that user. */
async function signUp(email: string) {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(stage.gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const signedUp = await post('/client/sign-up', {
    email,
    password: 'long enough password',
    name: 'A person',
  })
  const cookie = (signedUp.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const made = await post('/client/keys', { name: 'A key' }, { cookie })
  // A key record; only its id matters here.
  const { id } = (await made.json()) as { id: string }
  const call = (path: string, body?: object, { method = 'POST', headers }: CallOptions = {}) =>
    stage.call(path, body, { method, token: '', headers: { cookie, ...headers } })
  return { call, keyId: id }
}

describe('the cookie routes', () => {
  test('refuse what was done already with 409', async () => {
    const { call, keyId } = await signUp('twice@example.org')
    expect((await call(`/client/keys/${keyId}`, undefined, { method: 'DELETE' })).status).toBe(204)
    expectError(await call(`/client/keys/${keyId}`, undefined, { method: 'DELETE' }), 409, {
      type: 'conflict_error',
    })
  })

  test("answer for another user's resource as for one that is not there", async () => {
    const [one, two] = [await signUp('own@example.org'), await signUp('foreign@example.org')]
    const foreign = await one.call(`/client/keys/${two.keyId}`, undefined, { method: 'DELETE' })
    const missing = await one.call('/client/keys/key_00000000000000000000000000', undefined, {
      method: 'DELETE',
    })
    expectError(foreign, 404, { type: 'not_found_error' })
    expect(foreign.text).toBe(missing.text)
  })

  test('refuse a foreign origin with 403', async () => {
    const { call } = await signUp('origin@example.org')
    const answer = await call(
      '/client/keys',
      { name: 'Another' },
      { headers: { origin: 'https://elsewhere.example.org' } },
    )
    expectError(answer, 403, { type: 'permission_error' })
  })

  test('refuse bodies that are no JSON by their type with 415, and broken or wrong ones with 400', async () => {
    const { call } = await signUp('body@example.org')
    expectError(
      await call('/client/keys', { name: 'A' }, { headers: { 'content-type': 'text/plain' } }),
      415,
      { type: 'invalid_request_error' },
    )
    expectError(await call('/client/keys', { name: 5 }), 400, {
      type: 'invalid_request_error',
      message: /^name\b/,
    })
    const broken = await fetch(`${stage.gateway.url}/client/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expectError(await readAnswer(broken), 400, { type: 'invalid_request_error' })
  })

  test('refuse a body that is too large with 413', async () => {
    const { call } = await signUp('large@example.org')
    const answer = await call('/client/keys', { name: 'x'.repeat(40 * 1024 * 1024) })
    expectError(answer, 413, { type: 'invalid_request_error', code: 'request_too_large' })
  })
})

describe('the character that not every store takes', () => {
  test('is refused with 400 wherever a client sends it', async () => {
    const admin = await signInAsAdmin(stage.gateway.url)
    const credits = { amount: 1, kind: 'grant', note: 'a\0b' }
    const grant = admin.call('POST', `/admin/accounts/${stage.caller.accountId}/credits`, credits)
    await expect(grant).rejects.toThrow(/400.*note: must not hold/)
    await expect(admin.call('GET', '/admin/accounts/acc%00')).rejects.toThrow(/400.*id: must not hold/)
    await expect(admin.call('GET', '/admin/accounts?cursor=%00')).rejects.toThrow(/400/)
    const answer = await stage.call(CHAT_PATH, { ...CHAT, model: 'a\0b' })
    expectError(answer, 400, { type: 'invalid_request_error', message: /^model\b/ })
    expect(await stage.recordOf(answer.requestId)).toMatchObject({ model: null, http_status: 400 })
  })

  test('is recorded as another where an upstream sends it', async () => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, { error: { message: 'no', type: 'x', code: 'a\0b' } }, 400),
    )
    const answer = await stage.call(CHAT_PATH, CHAT)
    expect(answer.status).toBe(400)
    expect(await stage.recordOf(answer.requestId)).toMatchObject({ error: { code: 'a\u{fffd}b' } })
    stage.upstream.respond(answerWell)
  })
})

test('the limiter of the public routes: 429 with the seconds until one call is free', async () => {
  for (let count = 0; count < 60; count++) await stage.call('/v1/models', undefined, { token: '' })
  let answer = await stage.call('/v1/models', undefined, { token: '' })
  // Calls become free while the sixty go out, one a second.
  while (answer.status === 200) answer = await stage.call('/v1/catalog', undefined, { token: '' })
  expectError(answer, 429, { type: 'rate_limit_exceeded', message: 'Rate limit exceeded' })
  expect(answer.headers.get('retry-after')).toBe('1')
  expect((await stage.call('/v1/quota')).status).toBe(200)
})

test('a defect of ours is 500 and tells no detail', async () => {
  await makeModel(stage.gateway.admin, 'defective', { routes: [{ baseUrl: stage.upstream.baseUrl }] })
  const { storage } = stage.gateway.app
  await storage.commit([
    {
      query: storage.db
        .updateTable('providers')
        .set({ kind: 'unheard-of' })
        .where('name', '=', 'defective upstream 0'),
    },
  ])
  // Any change makes the catalogue anew, from what the store holds now.
  await stage.gateway.admin.call('PATCH', '/admin/models/defective', { description: 'Now broken' })
  const answer = await stage.call(CHAT_PATH, { ...CHAT, model: 'defective' })
  expectError(answer, 500, { type: 'internal_error' })
  expect(answer.text).not.toMatch(/unheard-of|provider|at \//)
  expect(await stage.recordOf(answer.requestId)).toMatchObject({
    status: 'failed',
    http_status: 500,
    credits: 0,
  })
})

describe('an estimate can not be escaped', () => {
  const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  const words = 'Twelve words that are to be counted, however odd the rest is.'

  test.each([
    [
      'special tokens',
      JSON.stringify({ ...CHAT, messages: [{ role: 'user', content: `${words}<|endoftext|><|im_start|>` }] }),
    ],
    ['lone surrogates', `{"model":"${MODEL}","messages":[{"role":"user","content":"${words}\\ud800"}]}`],
    [
      'a message nested without end',
      `{"model":"${MODEL}","messages":[{"role":"user","content":"${words}","x":${deep(50_000)}}]}`,
    ],
    [
      'tools nested without end',
      `{"model":"${MODEL}","messages":[{"role":"user","content":"${words}"}],"tools":${deep(50_000)}}`,
    ],
    [
      'a schema nested without end',
      `{"model":"${MODEL}","messages":[{"role":"user","content":"${words}"}],"response_format":${deep(50_000)}}`,
    ],
    [
      'one endless word',
      JSON.stringify({ ...CHAT, messages: [{ role: 'user', content: 'a'.repeat(300_000) }] }),
    ],
  ])('by %s', async (_what, body) => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, {
        object: 'chat.completion',
        model: 'upstream-model',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: `${words}<|endoftext|>` },
            finish_reason: 'stop',
          },
        ],
      }),
    )
    const answer = await stage.call(CHAT_PATH, body)
    expect(answer.status).toBe(200)
    const record = await stage.recordOf(answer.requestId)
    expect(record).toMatchObject({ status: 'succeeded', usage_source: 'estimate' })
    expect(record.usage.input).toBeGreaterThan(10)
    expect(record.usage.output).toBeGreaterThan(10)
  })

  test('embeddings of tokens and of texts without a report are counted too', async () => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, {
        object: 'list',
        model: 'upstream-model',
        data: [{ object: 'embedding', index: 0, embedding: [1] }],
      }),
    )
    for (const input of [[1, 2, 3], ['one two three'], 'one two three', [[1, 2], [3]]]) {
      const { requestId } = await stage.call('/v1/embeddings', { ...EMBEDDINGS, input })
      expect(await stage.recordOf(requestId)).toMatchObject({
        usage_source: 'estimate',
        usage: { input: 3, output: 0 },
      })
    }
  })
})

test('a wrong password and an unknown address are the same to a stranger', async () => {
  await signUp('known@example.org')
  const signIn = async (email: string) =>
    stage.call('/client/sign-in', { email, password: 'not the password' }, { token: '' })
  const [known, unknown] = [await signIn('known@example.org'), await signIn('nobody@example.org')]
  expectError(known, 401, { type: 'authentication_error' })
  expect(unknown.text).toBe(known.text)
})
