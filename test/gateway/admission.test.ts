/** The three controls before protected calls, as a caller meets them. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCaller, makeModel, type NewCaller, WEIGHTS } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import {
  type Answer,
  CHAT,
  CHAT_PATH,
  expectError,
  readAnswer,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { answerWell, beginSse, chatChunk, chatReply, event, sendJson } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.upstream.respond(answerWell)
  stage.upstream.requests.length = 0
  stage.upstream.load.peak = 0
})

const chat = ({ token }: NewCaller, body: unknown = CHAT) => stage.call(CHAT_PATH, body, { token })
const quota = async ({ token }: NewCaller) =>
  JSON.parse((await stage.call('/v1/quota', undefined, { token })).text)
const grant = (caller: NewCaller, amount: number, kind = 'grant') =>
  stage.gateway.admin.call('POST', `/admin/accounts/${caller.accountId}/credits`, { amount, kind, note: '' })
const statuses = (answers: readonly { status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function expectRateRefusal(answer: Answer): void {
  expectError(answer, 429, { type: 'rate_limit_exceeded', message: 'Rate limit exceeded' })
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(answer.headers.get('x-should-retry')).toBeNull()
}

function expectCreditRefusal(answer: Answer): void {
  expectError(answer, 429, { type: 'insufficient_quota', message: 'AI credit quota exhausted' })
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(answer.headers.get('x-should-retry')).toBe('false')
}

function expectConcurrencyRefusal(answer: Answer): void {
  expectError(answer, 429, { type: 'insufficient_quota', code: 'concurrency_limit' })
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(answer.headers.get('x-should-retry')).toBeNull()
}

/** Holds all requests at the upstream until they are let go. */
function holdUpstream() {
  const held: ServerResponse[] = []
  stage.upstream.respond((_request, response) => {
    held.push(response)
  })
  return {
    held,
    letGo: () => {
      for (const response of held.splice(0)) sendJson(response, chatReply('Hello'))
    },
  }
}

describe('the order of refusals', () => {
  test('is rate, credits, concurrency; a refused request takes nothing', async () => {
    const caller = await makeCaller(stage.gateway.admin, {
      credits: 1,
      limits: { requests: 2, concurrency: 1 },
    })
    const upstream = holdUpstream()
    const first = chat(caller)
    await eventually(() => expect(upstream.held).toHaveLength(1))
    for (let count = 0; count < 5; count++) {
      const refused = await chat(caller)
      expectConcurrencyRefusal(refused)
      expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('1')
    }
    await grant(caller, -5, 'adjustment')
    for (let count = 0; count < 5; count++) {
      const refused = await chat(caller)
      expectCreditRefusal(refused)
      expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('1')
    }
    await quota(caller)
    expectRateRefusal(await chat(caller))
    upstream.letGo()
    expect((await first).status).toBe(200)
    expect(stage.upstream.requests).toHaveLength(1)
  })

  test('an admission refusal leaves no record of usage', async () => {
    const caller = await makeCaller(stage.gateway.admin, { credits: 0 })
    await chat(caller)
    const { data } = await stage.gateway.admin.call<{ data: unknown[] }>(
      'GET',
      `/admin/requests?key_id=${caller.keyId}`,
    )
    expect(data).toEqual([])
  })

  test('admission comes before the body: a refused one has had its place in the window', async () => {
    const caller = await makeCaller(stage.gateway.admin, { limits: { requests: 4 } })
    for (const [body, status] of [
      ['{', 400],
      [{ ...CHAT, model: 'none' }, 404],
      [{ ...CHAT, messages: 1 }, 400],
    ] as const) {
      expect((await chat(caller, body)).status).toBe(status)
    }
    const wrongType = await stage.call(CHAT_PATH, CHAT, {
      token: caller.token,
      headers: { 'content-type': 'text/plain' },
    })
    expect(wrongType.status).toBe(415)
    expectRateRefusal(await chat(caller))
  })

  test('a body that can not be read is not looked at when there is no credit', async () => {
    expectCreditRefusal(await chat(await makeCaller(stage.gateway.admin, { credits: 0 }), '{'))
  })
})

describe('rate', () => {
  test.each([1, 25])('a limit of %i is exact under a burst', async requests => {
    const caller = await makeCaller(stage.gateway.admin, { limits: { requests } })
    const answers = await Promise.all(Array.from({ length: requests * 4 }, () => chat(caller)))
    expect(statuses(answers)).toEqual({ 200: requests, 429: requests * 3 })
    for (const answer of answers) if (answer.status === 429) expectRateRefusal(answer)
    expect(stage.upstream.requests).toHaveLength(requests)
  })

  test('covers all protected routes together', async () => {
    const caller = await makeCaller(stage.gateway.admin, { limits: { requests: 3 } })
    const { token } = caller
    await chat(caller)
    await stage.call('/v1/embeddings', { model: CHAT.model, input: 'Hi' }, { token })
    await quota(caller)
    expectRateRefusal(await stage.call('/v1/quota', undefined, { token }))
    expectRateRefusal(await stage.call('/v1/embeddings', { model: CHAT.model, input: 'Hi' }, { token }))
    expectRateRefusal(await chat(caller))
  })

  test('is free again when the window has passed', async () => {
    const caller = await makeCaller(stage.gateway.admin, { limits: { requests: 1, window_seconds: 1 } })
    expect(statuses(await Promise.all([chat(caller), chat(caller)]))).toEqual({ 200: 1, 429: 1 })
    await eventually(async () => expect((await chat(caller)).status).toBe(200))
  })

  test('belongs to the key, not to the account', async () => {
    const caller = await makeCaller(stage.gateway.admin, { limits: { requests: 1 } })
    const other = await stage.gateway.admin.call<{ token: string }>('POST', '/admin/keys', {
      user_id: caller.userId,
      name: 'Other',
    })
    await chat(caller)
    expectRateRefusal(await chat(caller))
    expect((await stage.call(CHAT_PATH, CHAT, { token: other.token })).status).toBe(200)
  })

  test('neither failed nor throttled calls give their place back', async () => {
    const caller = await makeCaller(stage.gateway.admin, { limits: { requests: 2 } })
    stage.upstream.respond((_request, response) => sendJson(response, {}, 500))
    await chat(caller)
    await chat(caller)
    expectRateRefusal(await chat(caller))
  })
})

describe('concurrency', () => {
  test.each([1, 4])(
    'a cap of %i lets exactly that many of ten times as many reach the upstream',
    async concurrency => {
      const caller = await makeCaller(stage.gateway.admin, { limits: { concurrency } })
      const upstream = holdUpstream()
      const calls = Array.from({ length: concurrency * 10 }, () => chat(caller))
      const refusals: Answer[] = []
      for (const call of calls) void call.then(answer => answer.status === 429 && refusals.push(answer))
      await eventually(() => expect(refusals).toHaveLength(concurrency * 9))
      // What was let in may still be on its way to the upstream.
      await eventually(() => expect(stage.upstream.load.peak).toBe(concurrency))
      upstream.letGo()
      expect(statuses(await Promise.all(calls))).toEqual({ 200: concurrency, 429: concurrency * 9 })
      for (const refusal of refusals) expectConcurrencyRefusal(refusal)
      stage.upstream.respond(answerWell)
      expect((await chat(caller)).status).toBe(200)
    },
  )

  test('a stream holds its slot until it ends, and no longer', async () => {
    const caller = await makeCaller(stage.gateway.admin, { limits: { concurrency: 1 } })
    let upstream: ServerResponse | undefined
    stage.upstream.respond((_request, response) => {
      upstream = response
      beginSse(response, [chatChunk({ content: 'Hel' })])
    })
    const response = await stage.open(CHAT_PATH, STREAM, { token: caller.token })
    expect(response.status).toBe(200)
    expectConcurrencyRefusal(await chat(caller))
    upstream?.end(event(chatChunk({ content: 'lo' }, 'stop')))
    await readAnswer(response)
    stage.upstream.respond(answerWell)
    expect((await chat(caller)).status).toBe(200)
  })

  test.each<[string, Parameters<typeof stage.upstream.respond>[0]]>([
    ['failed', (_request, response) => sendJson(response, {}, 500)],
    ['cut off', (_request, response) => response.socket?.destroy()],
    ['refused', (_request, response) => sendJson(response, { error: { message: 'no' } }, 400)],
    [
      'broken within',
      (_request, response) => {
        beginSse(response, [chatChunk({ content: 'Hel' })])
        response.write(':\n\n', () => response.socket?.destroy())
      },
    ],
  ])('a call that is %s gives its slot back', async (_how, handler) => {
    const caller = await makeCaller(stage.gateway.admin, { limits: { concurrency: 1 } })
    stage.upstream.respond(handler)
    for (let count = 0; count < 3; count++)
      expect((await chat(caller, STREAM)).text).not.toContain('concurrency_limit')
    for (const body of ['{', { ...CHAT, model: 'none' }])
      expect((await chat(caller, body)).status).not.toBe(429)
  })

  test('the quota route is not part of it', async () => {
    const caller = await makeCaller(stage.gateway.admin, { limits: { concurrency: 1 } })
    const upstream = holdUpstream()
    const held = chat(caller)
    await eventually(() => expect(upstream.held).toHaveLength(1))
    expect(await quota(caller)).toMatchObject({ object: 'quota' })
    upstream.letGo()
    await held
  })
})

describe('credits', () => {
  test('an account with nothing left is refused, even for a model that is free', async () => {
    await makeModel(stage.gateway.admin, 'free', {
      routes: [{ baseUrl: stage.upstream.baseUrl }],
      weights: { input: 0, cache_read: 0, cache_write: 0, output: 0 },
    })
    const caller = await makeCaller(stage.gateway.admin, { credits: 0 })
    expectCreditRefusal(await chat(caller, { ...CHAT, model: 'free' }))
    expectCreditRefusal(await chat(caller))
    await grant(caller, 0.000001)
    for (let count = 0; count < 3; count++)
      expect((await chat(caller, { ...CHAT, model: 'free' })).status).toBe(200)
    expect(await quota(caller)).toMatchObject({ used: 0, quota: 0.000001, remaining: 0.000001 })
  })

  test('the quota tells how things stand, also before the first allocation and at zero', async () => {
    const caller = await makeCaller(stage.gateway.admin, { credits: 0 })
    const object = { object: 'quota', account_id: caller.accountId }
    expect(await quota(caller)).toEqual({
      ...object,
      used: 0,
      quota: 0,
      remaining: 0,
      credit_status: 'exhausted',
    })
    await grant(caller, 0.0008)
    expect(await quota(caller)).toEqual({
      ...object,
      used: 0,
      quota: 0.0008,
      remaining: 0.0008,
      credit_status: 'active',
    })
    for (let count = 0; count < 11; count++) await chat(caller)
    expect(await quota(caller)).toEqual({
      ...object,
      used: 0.00077,
      quota: 0.0008,
      remaining: 0.00003,
      credit_status: 'low',
    })
    await chat(caller)
    expect(await quota(caller)).toEqual({
      ...object,
      used: 0.00084,
      quota: 0.0008,
      remaining: 0,
      credit_status: 'exhausted',
    })
    expectCreditRefusal(await chat(caller))
  })

  test('a balance may end below zero; the next grant pays the debt first and lifts the refusal at once', async () => {
    const caller = await makeCaller(stage.gateway.admin, { credits: 0.00001 })
    expect((await chat(caller)).status).toBe(200)
    expect(await stage.gateway.balanceOf(caller.accountId)).toBe(-60n)
    expect(await quota(caller)).toMatchObject({ remaining: 0, credit_status: 'exhausted' })
    await grant(caller, 0.00006)
    expectCreditRefusal(await chat(caller))
    await grant(caller, 0.000001)
    expect((await chat(caller)).status).toBe(200)
  })

  test('are one balance for all keys of an account', async () => {
    const caller = await makeCaller(stage.gateway.admin, { credits: 0.00007 })
    const other = await stage.gateway.admin.call<{ token: string }>('POST', '/admin/keys', {
      user_id: caller.userId,
      name: 'Other',
    })
    expect((await chat(caller)).status).toBe(200)
    expectCreditRefusal(await stage.call(CHAT_PATH, CHAT, { token: other.token }))
  })
})

describe('changes by the operator', () => {
  test('of weights do not touch what is in flight', async () => {
    const id = 'repriced'
    await makeModel(stage.gateway.admin, id, { routes: [{ baseUrl: stage.upstream.baseUrl }] })
    const upstream = holdUpstream()
    const held = stage.call(CHAT_PATH, { ...CHAT, model: id })
    await eventually(() => expect(upstream.held).toHaveLength(1))
    const dearer = { input: 200, cache_read: 0, cache_write: 0, output: 0 }
    await stage.gateway.admin.call('PATCH', `/admin/models/${id}`, { weights: dearer })
    upstream.letGo()
    expect(await stage.recordOf((await held).requestId)).toMatchObject({ weights: WEIGHTS, credits: 0.00007 })
    stage.upstream.respond(answerWell)
    const { requestId } = await stage.call(CHAT_PATH, { ...CHAT, model: id })
    expect(await stage.recordOf(requestId)).toMatchObject({ weights: dearer, credits: 0.002 })
  })

  test('of limits hold at once', async () => {
    const caller = await makeCaller(stage.gateway.admin, { limits: { requests: 2, concurrency: 2 } })
    await chat(caller)
    const patch = (limits: object) =>
      stage.gateway.admin.call('PATCH', `/admin/keys/${caller.keyId}`, { limits })
    await patch({ requests: 1 })
    expectRateRefusal(await chat(caller))
    await patch({ requests: 10, concurrency: 5 })
    const { headers, status } = await chat(caller)
    expect(status).toBe(200)
    expect(headers.get('x-ratelimit-limit-requests')).toBe('10')
    expect(headers.get('x-concurrency-limit')).toBe('5')
  })

  test('a revoked key is refused at once; what it has in flight ends well', async () => {
    const caller = await makeCaller(stage.gateway.admin)
    const upstream = holdUpstream()
    const held = chat(caller)
    await eventually(() => expect(upstream.held).toHaveLength(1))
    await stage.gateway.admin.call('DELETE', `/admin/keys/${caller.keyId}`)
    expectError(await chat(caller), 401, { type: 'authentication_error' })
    upstream.letGo()
    expect((await held).status).toBe(200)
  })

  test('a suspended account is refused at once, and let in again', async () => {
    const caller = await makeCaller(stage.gateway.admin)
    expect((await chat(caller)).status).toBe(200)
    await stage.gateway.admin.call('PATCH', `/admin/accounts/${caller.accountId}`, { status: 'suspended' })
    expectError(await chat(caller), 401, { type: 'authentication_error' })
    await stage.gateway.admin.call('PATCH', `/admin/accounts/${caller.accountId}`, { status: 'active' })
    expect((await chat(caller)).status).toBe(200)
  })

  test('a model that is taken away is gone at once', async () => {
    await makeModel(stage.gateway.admin, 'short/lived', { routes: [{ baseUrl: stage.upstream.baseUrl }] })
    expect((await chat(stage.caller, { ...CHAT, model: 'short/lived' })).status).toBe(200)
    await stage.gateway.admin.call('PATCH', '/admin/models/short/lived', { enabled: false })
    expectError(await chat(stage.caller, { ...CHAT, model: 'short/lived' }), 404, {
      type: 'invalid_request_error',
      code: 'model_not_found',
    })
  })
})
