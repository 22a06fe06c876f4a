/** Every error of every route is in one envelope, with the status, type and code that clients branch on. */
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashToken, issueToken } from '#domains/keys/token.ts'
import { ADMIN, makeCaller, makeModel } from '#test/support/admin-client.ts'
import {
  CHAT,
  CHAT_PATH,
  EMBEDDINGS,
  expectEnvelope,
  expectError,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { answerWell } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  await makeModel(stage.gateway.admin, 'chat-only', { routes: [{ baseUrl: stage.upstream.baseUrl }] })
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.respond(answerWell)
  stage.upstream.requests.length = 0
})

const PROTECTED: readonly [method: string, path: string][] = [
  ['POST', CHAT_PATH],
  ['POST', '/v1/embeddings'],
  ['GET', '/v1/quota'],
]

function expectNoLimitHeaders(headers: Headers): void {
  expect([...headers.keys()].filter(name => /^x-(ratelimit|concurrency)-/.test(name))).toEqual([])
}

describe('requests that never reach a route', () => {
  /** Sends bytes and gives what comes back until the connection ends. */
  function exchange(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(stage.gateway.url).port), '127.0.0.1')
      let text = ''
      socket.setEncoding('utf8').on('data', piece => {
        text += piece
      })
      socket.on('close', () => resolve(text)).on('error', reject)
      socket.write(bytes)
    })
  }

  test.each([
    ['no HTTP', 'GARBAGE\r\n\r\n', 400],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['a space in a header name', 'GET /health HTTP/1.1\r\nhost: a\r\nbad header: x\r\n\r\n', 400],
    [
      'two lengths',
      'POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
    ],
    [
      'a length beside chunks',
      'POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['headers of 64 KiB', `GET /v1/quota HTTP/1.1\r\nhost: a\r\nx-long: ${'a'.repeat(65_536)}\r\n\r\n`, 431],
  ])('%s', async (_what, bytes, status) => {
    const text = await exchange(bytes)
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toMatch(/^x-request-id: req_[0-9a-z]+$/im)
    expect(head).toMatch(/^content-type: application\/json/im)
    expectEnvelope(body, { type: 'invalid_request_error' })
  })

  test.each([
    ['GET', '/%zz'],
    ['GET', '/v1/models/%zz'],
    ['GET', '/v1/catalog/models/%'],
    ['POST', '/client/keys/%E0%A4%A'],
  ])('%s %s, which can not be decoded', async (method, path) => {
    expectError(await stage.call(path, undefined, { method }), 400, { type: 'invalid_request_error' })
  })
})

describe('unknown routes and methods come before authentication', () => {
  test.each([
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/nothing'],
    ['POST', '/v1/fine_tuning/jobs'],
    ['POST', '/v1/chat/completions/'],
    ['POST', '/v1//chat/completions'],
    ['GET', '/v2/models'],
    ['POST', '/nothing'],
    ['GET', '/client/nothing'],
    ['GET', '/admin/nothing'],
    ['DELETE', '/nothing?a=b'],
  ])('%s %s is 404', async (method, path) => {
    const answer = await stage.call(path, undefined, { method, token: '' })
    expectError(answer, 404, { type: 'not_found_error' })
    expectNoLimitHeaders(answer.headers)
  })

  test.each([
    ['GET', CHAT_PATH, 'POST'],
    ['HEAD', CHAT_PATH, 'POST'],
    ['PUT', CHAT_PATH, 'POST'],
    ['DELETE', '/v1/embeddings', 'POST'],
    ['POST', '/v1/quota', 'GET'],
    ['POST', '/v1/models', 'GET'],
    ['DELETE', '/v1/catalog', 'GET'],
    ['POST', '/health', 'GET'],
    ['PUT', '/client/keys', 'POST'],
    ['GET', '/client/sign-in', 'POST'],
    ['DELETE', '/admin/settings', 'PATCH'],
  ])('%s %s is 405 with Allow', async (method, path, allowed) => {
    const answer = await stage.call(path, undefined, { method, token: '' })
    expect(answer.status).toBe(405)
    if (method !== 'HEAD') expectError(answer, 405, { type: 'invalid_request_error' })
    expect(answer.headers.get('allow')?.split(/, */)).toContain(allowed)
    expectNoLimitHeaders(answer.headers)
  })

  test('and cost no place in the window of the key that asks', async () => {
    const { token } = await makeCaller(stage.gateway.admin, { limits: { requests: 2 } })
    for (let count = 0; count < 5; count++) {
      await stage.call('/v1/nothing', undefined, { token })
      await stage.call(CHAT_PATH, undefined, { token })
    }
    const answer = await stage.call('/v1/quota', undefined, { token })
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('1')
  })
})

describe('a key that does not open', () => {
  /** Each makes a header (or none) that must be refused. */
  const causes: readonly [name: string, header: () => Promise<string | null>][] = [
    ['missing', async () => null],
    ['empty', async () => ''],
    ['of another scheme', async () => `Basic ${Buffer.from(`${stage.caller.token}:`).toString('base64')}`],
    ['without a scheme', async () => stage.caller.token],
    ['nothing but a scheme', async () => 'Bearer'],
    ['malformed', async () => 'Bearer gw_short'],
    ['of another house', async () => 'Bearer sk-abcdefghijklmnopqrstuvwxyz'],
    [
      'with a wrong checksum',
      async () => `Bearer ${stage.caller.token.slice(0, -1)}${stage.caller.token.endsWith('A') ? 'B' : 'A'}`,
    ],
    ['followed by more', async () => `Bearer ${stage.caller.token} more`],
    ['unknown', async () => `Bearer ${issueToken()}`],
    [
      'revoked',
      async () => {
        const { keyId, token } = await makeCaller(stage.gateway.admin)
        await stage.gateway.admin.call('DELETE', `/admin/keys/${keyId}`)
        return `Bearer ${token}`
      },
    ],
    [
      'expired',
      async () => {
        const { keyId, token } = await makeCaller(stage.gateway.admin)
        const { storage } = stage.gateway.app
        const query = storage.db.updateTable('api_keys').set({ expires_at: Date.now() - 1 })
        await storage.commit([{ query: query.where('id', '=', keyId) }])
        return `Bearer ${token}`
      },
    ],
    [
      'of a suspended account',
      async () => {
        const { accountId, token } = await makeCaller(stage.gateway.admin)
        await stage.gateway.admin.call('PATCH', `/admin/accounts/${accountId}`, { status: 'suspended' })
        return `Bearer ${token}`
      },
    ],
    ['the hash of a good one', async () => `Bearer ${hashToken(stage.caller.token)}`],
  ]

  test.each(PROTECTED)('%s %s answers every cause with the very same 401', async (method, path) => {
    const texts = new Set<string>()
    for (const [name, makeHeader] of causes) {
      const authorization = await makeHeader()
      const response = await fetch(stage.gateway.url + path, {
        method,
        headers: { 'content-type': 'application/json', ...(authorization === null ? {} : { authorization }) },
        ...(method === 'POST' ? { body: JSON.stringify(STREAM) } : {}),
      })
      const text = await response.text()
      expect(response.status, name).toBe(401)
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      expect(response.headers.get('retry-after')).toBeNull()
      texts.add(text)
    }
    expect([...texts]).toHaveLength(1)
    expectEnvelope([...texts][0] ?? '', { type: 'authentication_error', message: /Authorization/ })
    expect(stage.upstream.requests).toHaveLength(0)
  })

  test.each(['bearer', 'BEARER', 'Bearer'])('the scheme may be written %s', async scheme => {
    const answer = await stage.call('/v1/quota', undefined, {
      headers: { authorization: `${scheme} ${stage.caller.token}` },
    })
    expect(answer.status).toBe(200)
  })

  test.each(PROTECTED)(
    '%s %s takes no session cookie, no key in the address, and no other header',
    async (method, path) => {
      const owner = { email: 'cookie@example.org', password: 'long enough password', name: 'A name' }
      await fetch(`${stage.gateway.url}/client/sign-up`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(owner),
      })
      const cookies: string[] = []
      for (const [realm, person] of [
        ['client', owner],
        ['admin', ADMIN],
      ] as const) {
        const signedIn = await fetch(`${stage.gateway.url}/${realm}/sign-in`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: person.email, password: person.password }),
        })
        expect(signedIn.status).toBe(200)
        cookies.push((signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '')
      }
      const { token } = stage.caller
      for (const headers of [
        { cookie: cookies.join('; ') },
        { 'x-api-key': token },
        { 'api-key': token },
        { cookie: `token=${token}` },
      ]) {
        const response = await fetch(`${stage.gateway.url}${path}?api_key=${token}&access_token=${token}`, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(method === 'POST' ? { body: JSON.stringify(CHAT) } : {}),
        })
        expect(response.status).toBe(401)
      }
    },
  )

  test.each([
    '/client/me',
    '/client/keys',
    '/client/requests',
    '/admin/me',
    '/admin/keys',
    '/admin/accounts',
  ])('%s takes no gw_ key', async path => {
    expectError(await stage.call(path), 401, { type: 'authentication_error' })
  })
})

describe('bodies that are refused', () => {
  const good = JSON.stringify(CHAT)

  test.each([
    ['not JSON', 'model=gpt', /JSON/],
    ['cut off', good.slice(0, -1), /JSON/],
    ['empty', '', /JSON/],
    ['a list', '[]', /object/],
    ['a string', '"text"', /object/],
    ['null', 'null', /object/],
    ['without a model', { messages: CHAT.messages }, /^model\b/],
    ['with an empty model', { ...CHAT, model: '' }, /^model\b/],
    ['with a model of another type', { ...CHAT, model: 5 }, /^model\b/],
    ['without messages', { model: CHAT.model }, /^messages\b/],
    ['with empty messages', { ...CHAT, messages: [] }, /^messages\b/],
    ['with messages of another type', { ...CHAT, messages: 'Hi' }, /^messages\b/],
    ['with a message of another type', { ...CHAT, messages: ['Hi'] }, /^messages\.0\b/],
    ['with a message without a role', { ...CHAT, messages: [{ content: 'Hi' }] }, /^messages\.0\.role\b/],
    ['with a stream of another type', { ...CHAT, stream: 'true' }, /^stream\b/],
    ['with stream options of another type', { ...STREAM, stream_options: true }, /^stream_options\b/],
    ['with n of another type', { ...CHAT, n: '2' }, /^n\b/],
    ['with two models', `{"model":"chat-only",${good.slice(1)}`, /\bmodel\b/],
    [
      'with two models, after another name that stands twice',
      `{"a":1,"a":2,"model":"chat-only",${good.slice(1)}`,
      /\bmodel\b/,
    ],
    ['with a second model in capitals', { ...CHAT, Model: 'chat-only' }, /\bmodel\b/],
    ['with a second stream written with a long s', { ...CHAT, ſtream: true }, /\bstream\b/],
    ['with two models, one written with escapes', `{"mod\\u0065l":"chat-only",${good.slice(1)}`, /\bmodel\b/],
    ['with two streams', `{"stream":true,"stream":false,${good.slice(1)}`, /\bstream\b/],
  ])('%s', async (_what, body, message) => {
    const answer = await stage.call(CHAT_PATH, body)
    expectError(answer, 400, { type: 'invalid_request_error', message })
    expect(stage.upstream.requests).toHaveLength(0)
    expect(await stage.recordOf(answer.requestId)).toMatchObject({
      status: 'failed',
      http_status: 400,
      credits: 0,
    })
  })

  test.each([
    ['without an input', { model: CHAT.model }, /^input\b/],
    ['with an input of another type', { ...EMBEDDINGS, input: 5 }, /^input\b/],
    ['with an empty list', { ...EMBEDDINGS, input: [] }, /^input\b/],
    ['with an unknown encoding', { ...EMBEDDINGS, encoding_format: 'hex' }, /^encoding_format\b/],
  ])('embeddings %s', async (_what, body, message) => {
    expectError(await stage.call('/v1/embeddings', body), 400, { type: 'invalid_request_error', message })
  })

  test('for a model that is not there: 404 that names it', async () => {
    const answer = await stage.call(CHAT_PATH, { ...CHAT, model: 'no/such-model' })
    expectError(answer, 404, {
      type: 'invalid_request_error',
      code: 'model_not_found',
      message: /no\/such-model/,
    })
  })

  test('embeddings of a chat model: 400', async () => {
    const answer = await stage.call('/v1/embeddings', { ...EMBEDDINGS, model: 'chat-only' })
    expectError(answer, 400, { type: 'invalid_request_error', code: 'model_not_supported' })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('of type "%s": 415', async type => {
    const answer = await stage.call(CHAT_PATH, good, { headers: { 'content-type': type } })
    expectError(answer, 415, { type: 'invalid_request_error' })
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON ;charset=UTF-8'])(
    '"%s" is JSON',
    async type => {
      expect((await stage.call(CHAT_PATH, good, { headers: { 'content-type': type } })).status).toBe(200)
    },
  )
})

describe('page limits of lists', () => {
  test.each([
    '/admin/requests?limit=0',
    '/admin/requests?limit=101',
    '/admin/requests?limit=a',
    '/admin/requests?cursor=%00',
  ])('%s is 400', async path => {
    const cookie = await fetch(`${stage.gateway.url}/admin/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    })
    const answer = await stage.call(path, undefined, {
      headers: { cookie: (cookie.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '' },
    })
    expectError(answer, 400, { type: 'invalid_request_error' })
  })
})
