/** What every protected response carries beside its body, and what big, slow or foreign callers may rely on. */
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import {
  CHAT,
  CHAT_PATH,
  EMBEDDINGS,
  expectEnvelope,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { answerWell, beginSse, chatChunk, sendJson, type UpstreamHandler } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.respond(answerWell))

type Outcome = {
  readonly name: string
  readonly status: number
  readonly body: unknown
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly upstream?: UpstreamHandler
}

const OUTCOMES: readonly Outcome[] = [
  { name: 'an answer', status: 200, body: CHAT },
  { name: 'a stream', status: 200, body: STREAM },
  {
    name: 'a broken stream',
    status: 200,
    body: STREAM,
    upstream: (_request, response) => {
      beginSse(response, [chatChunk({ content: 'a' })])
      response.end()
    },
  },
  { name: 'embeddings', status: 200, body: EMBEDDINGS, path: '/v1/embeddings' },
  { name: 'a bad body', status: 400, body: '{' },
  { name: 'an unknown model', status: 404, body: { ...CHAT, model: 'none' } },
  { name: 'a wrong type', status: 415, body: CHAT, headers: { 'content-type': 'text/plain' } },
  {
    name: 'an upstream that throttles',
    status: 429,
    body: CHAT,
    upstream: (_request, response) => sendJson(response, {}, 429),
  },
  {
    name: 'an upstream that fails',
    status: 502,
    body: CHAT,
    upstream: (_request, response) => sendJson(response, {}, 500),
  },
]

describe.each(OUTCOMES)('$name', ({ status, body, path = CHAT_PATH, headers, upstream = answerWell }) => {
  test('says where the key stands, this call counted, and carries our id', async () => {
    const caller = await makeCaller(stage.gateway.admin, {
      limits: { requests: 50, window_seconds: 30, concurrency: 7 },
    })
    stage.upstream.respond(upstream)
    for (const remaining of ['49', '48']) {
      const answer = await stage.call(path, body, {
        token: caller.token,
        headers: { 'x-request-id': 'theirs-1', ...headers },
      })
      expect(answer.status).toBe(status)
      expect(answer.requestId).toMatch(/^req_[0-9a-z]+$/)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'x-ratelimit-limit-requests': '50',
        'x-ratelimit-remaining-requests': remaining,
        'x-ratelimit-reset-requests': expect.stringMatching(/^(2\d|30|31)s$/),
        'x-concurrency-limit': '7',
        'x-concurrency-remaining': '6',
        'access-control-allow-origin': '*',
      })
      expect(await stage.recordOf(answer.requestId)).toMatchObject({
        key_id: caller.keyId,
        client_request_id: 'theirs-1',
      })
    }
  })
})

test('the quota route says where the rate stands, and nothing of concurrency', async () => {
  const caller = await makeCaller(stage.gateway.admin, { limits: { requests: 5 } })
  const { headers, requestId } = await stage.call('/v1/quota', undefined, { token: caller.token })
  expect(requestId).toMatch(/^req_/)
  expect(headers.get('x-ratelimit-limit-requests')).toBe('5')
  expect(headers.get('x-ratelimit-remaining-requests')).toBe('4')
  expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^(59|60|61)s$/)
  expect(headers.get('x-concurrency-limit')).toBeNull()
})

describe('refusals say where the key stands, and count nothing', () => {
  let caller: NewCaller
  const call = (path = CHAT_PATH) =>
    stage.call(path, path === CHAT_PATH ? CHAT : undefined, { token: caller.token })

  test('rate', async () => {
    caller = await makeCaller(stage.gateway.admin, { limits: { requests: 1, concurrency: 3 } })
    await call()
    for (const path of [CHAT_PATH, '/v1/quota']) {
      const { status, headers } = await call(path)
      expect(status).toBe(429)
      expect(headers.get('x-ratelimit-remaining-requests')).toBe('0')
      expect(headers.get('x-concurrency-remaining')).toBe(path === CHAT_PATH ? '3' : null)
    }
  })

  test('credits', async () => {
    caller = await makeCaller(stage.gateway.admin, { credits: 0, limits: { requests: 9, concurrency: 3 } })
    const { status, headers } = await call()
    expect(status).toBe(429)
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('9')
    expect(headers.get('x-concurrency-remaining')).toBe('3')
  })
})

describe('other origins', () => {
  const origin = { origin: 'https://app.example.org' }

  test.each([
    ['POST', CHAT_PATH],
    ['POST', '/v1/embeddings'],
    ['GET', '/v1/quota'],
    ['GET', '/v1/models'],
    ['GET', '/v1/catalog'],
  ])('may call %s %s, without credentials', async (method, path) => {
    const preflight = await stage.call(path, undefined, {
      method: 'OPTIONS',
      token: '',
      headers: {
        ...origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,x-stainless-os',
      },
    })
    expect([200, 204]).toContain(preflight.status)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/x-stainless-os/)
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()

    const unauthenticated = await stage.call(path, undefined, { method, token: '', headers: origin })
    expect(unauthenticated.headers.get('access-control-allow-origin')).toBe('*')
    expect(unauthenticated.headers.get('access-control-expose-headers')).toMatch(/x-request-id/)
    expect(unauthenticated.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test.each(['/client/me', '/client/sign-in', '/admin/me', '/admin/keys'])('may not call %s', async path => {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const answer = await stage.call(path, undefined, {
        method,
        token: '',
        headers: { ...origin, 'access-control-request-method': 'POST' },
      })
      expect([...answer.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('a client that has much to send', () => {
  const MIB = 1024 * 1024
  const piece = Buffer.alloc(MIB, ' ')

  type Sending = { readonly headers: readonly string[]; readonly mib: number; readonly chunked?: boolean }

  /** Sends all of its body before it looks at the answer, as many clients do. */
  async function sendAll({ headers, mib, chunked = false }: Sending): Promise<string> {
    const socket = connect(Number(new URL(stage.gateway.url).port), '127.0.0.1')
    let text = ''
    let broken: unknown = null
    socket.on('data', bytes => {
      text += bytes.toString('latin1')
    })
    socket.on('error', error => {
      broken = error
    })
    const write = (bytes: Buffer | string) =>
      new Promise<void>(resolve => socket.write(bytes, () => resolve()))
    await write(
      `POST ${CHAT_PATH} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers.join('\r\n')}\r\n${chunked ? 'transfer-encoding: chunked' : `content-length: ${mib * MIB}`}\r\n\r\n`,
    )
    for (let sent = 0; sent < mib && !broken; sent++) {
      if (chunked) await write(`${MIB.toString(16)}\r\n`)
      await write(piece)
      if (chunked) await write('\r\n')
    }
    if (chunked && !broken) await write('0\r\n\r\n')
    if (!socket.closed) await new Promise(resolve => socket.once('close', resolve))
    expect(broken).toBeNull()
    return text
  }

  const json = 'content-type: application/json'
  const key = () => `authorization: Bearer ${stage.caller.token}`

  test.each<[string, number, { type: string; code?: string }, () => Sending]>([
    [
      'too much, announced',
      413,
      { type: 'invalid_request_error', code: 'request_too_large' },
      () => ({ headers: [json, key()], mib: 40 }),
    ],
    [
      'too much, in chunks',
      413,
      { type: 'invalid_request_error', code: 'request_too_large' },
      () => ({ headers: [json, key()], mib: 40, chunked: true }),
    ],
    [
      'what is no JSON by its type',
      415,
      { type: 'invalid_request_error' },
      () => ({ headers: [key()], mib: 20 }),
    ],
    ['without a key', 401, { type: 'authentication_error' }, () => ({ headers: [json], mib: 20 })],
    [
      'what turns out to be no JSON',
      400,
      { type: 'invalid_request_error' },
      () => ({ headers: [json, key()], mib: 32, chunked: true }),
    ],
  ])('%s: gets its answer (%i)', async (_what, status, error, sending) => {
    const text = await sendAll(sending())
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toMatch(/^x-request-id: req_/m)
    expectEnvelope(body, error)
  })

  test('a body of just under 32 MiB goes through', async () => {
    const text = JSON.stringify({ ...CHAT, padding: '' })
    const body = text.slice(0, -2) + 'x'.repeat(32 * MIB - text.length) + text.slice(-2)
    expect(body.length).toBe(32 * MIB)
    expect((await stage.call(CHAT_PATH, body)).status).toBe(200)
    expect(stage.upstream.requests.at(-1)?.bytes.length).toBe(
      32 * MIB + '"upstream-model"'.length - '"public/model"'.length,
    )
  })
})
