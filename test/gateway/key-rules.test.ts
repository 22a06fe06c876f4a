/** What a single key may use and spend: set by administrators, kept by the gateway. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiKeyRecord } from '#contract/keys.ts'
import { makeCaller, makeModel, type NewCaller } from '#test/support/admin-client.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { CHAT_PATH, expectError, MESSAGES, type Stage, startStage } from '#test/support/stage.ts'
import { answerWell, chatReply, sendJson } from '#test/support/upstream.ts'

let stage: Stage
let caller: NewCaller

beforeAll(async () => {
  stage = await startStage()
  for (const id of ['one', 'two']) {
    await makeModel(stage.gateway.admin, id, { routes: [{ baseUrl: stage.upstream.baseUrl }] })
  }
})
afterAll(() => stage.close())
beforeEach(async () => {
  caller = await makeCaller(stage.gateway.admin, { limits: { requests: 10_000, concurrency: 50 } })
  // Each costs 10 x 2 + 5 x 10 = 70 micro-credits.
  stage.upstream.respond(answerWell)
})

function patch(body: object): Promise<ApiKeyRecord> {
  return stage.gateway.admin.call<ApiKeyRecord>('PATCH', `/admin/keys/${caller.keyId}`, body)
}

const ask = (model = 'one', token = caller.token) =>
  stage.call(CHAT_PATH, { model, messages: MESSAGES }, { token })

describe('models of a key', () => {
  test('one that is not on the list does not exist for it', async () => {
    expect(await patch({ models: ['one', 'one'] })).toMatchObject({ models: ['one'] })
    expect((await ask('one')).status).toBe(200)
    expectError(await ask('two'), 404, { type: 'invalid_request_error', code: 'model_not_found' })
    // Other dialects are told so in their own words.
    const body = { model: 'two', max_tokens: 10, messages: MESSAGES }
    const answer = await stage.call('/v1/messages', body, { token: caller.token })
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text).error.type).toBe('not_found_error')
    expect((await stage.call('/v1/messages/count_tokens', body, { token: caller.token })).status).toBe(404)
  })

  test('null opens all of them again, and other keys never noticed', async () => {
    await patch({ models: ['one'] })
    expect((await ask('two', stage.caller.token)).status).toBe(200)
    expect(await patch({ models: null })).toMatchObject({ models: null })
    expect((await ask('two')).status).toBe(200)
  })

  test('the public catalogue shows all models to everybody', async () => {
    await patch({ models: ['one'] })
    const answer = await stage.call('/v1/models', undefined, { token: caller.token })
    expect(JSON.parse(answer.text).data.map(({ id }: { id: string }) => id)).toContain('two')
  })

  test.each([[[]], [['not a name']], ['one']])('%o is refused', async models => {
    await expect(patch({ models })).rejects.toThrow(/400.*models/)
  })
})

describe('spending cap of a key', () => {
  const CAP = { type: 'insufficient_quota', code: 'key_spending_cap' }

  test('what is settled decides: the request that reaches it is the last', async () => {
    expect(await patch({ spending_cap: { credits: 0.00014, period: 'day' } })).toMatchObject({
      spending_cap: { credits: 0.00014, period: 'day' },
    })
    expect((await ask()).status).toBe(200)
    expect((await ask()).status).toBe(200)
    const refused = await ask()
    expectError(refused, 429, { ...CAP, message: 'This key has spent what it may spend in a day' })
    expect(refused.headers.get('x-should-retry')).toBe('false')
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(86_400)
    // It took nothing, and its headers are those of any answer.
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('9998')
    expect(refused.headers.get('x-concurrency-limit')).toBe('50')
    expect(refused.headers.get('x-concurrency-remaining')).toBe('50')
    const books = await readBooks(stage.gateway.app.storage, caller.accountId)
    expect(books.requests).toHaveLength(2)
    expectBooksToAddUp(books)
  })

  test('what the key spent before it had a cap counts', async () => {
    await ask()
    await patch({ spending_cap: { credits: 0.00007, period: 'month' } })
    expectError(await ask(), 429, { ...CAP, message: /month/ })
    await patch({ spending_cap: { credits: 0.00008, period: 'month' } })
    expect((await ask()).status).toBe(200)
    expectError(await ask(), 429, CAP)
    await patch({ spending_cap: null })
    expect((await ask()).status).toBe(200)
  })

  test('what other keys of the account spend does not', async () => {
    const other = await stage.gateway.admin.call<{ token: string }>('POST', '/admin/keys', {
      user_id: caller.userId,
      name: 'Another',
      spending_cap: { credits: 0.00007, period: 'day' },
    })
    for (let count = 0; count < 3; count++) await ask()
    expect((await ask('one', other.token)).status).toBe(200)
    expectError(await ask('one', other.token), 429, CAP)
    expect((await ask()).status).toBe(200)
  })

  test('routes that cost nothing are open', async () => {
    await patch({ spending_cap: { credits: 0.000001, period: 'day' } })
    await ask()
    expectError(await ask(), 429, CAP)
    expect((await stage.call('/v1/quota', undefined, { token: caller.token })).status).toBe(200)
  })

  test("the rate and the account's credits are named first", async () => {
    await patch({ spending_cap: { credits: 0.000001, period: 'day' }, limits: { requests: 1 } })
    await ask()
    expectError(await ask(), 429, { type: 'rate_limit_exceeded' })
    const poor = await makeCaller(stage.gateway.admin, { credits: 0.00007 })
    await stage.gateway.admin.call('PATCH', `/admin/keys/${poor.keyId}`, {
      spending_cap: { credits: 0.000001, period: 'day' },
    })
    await ask('one', poor.token)
    expectError(await ask('one', poor.token), 429, {
      type: 'insufficient_quota',
      message: 'AI credit quota exhausted',
    })
  })

  test('of many at once no more are let in than were in flight when it was reached', async () => {
    await patch({ spending_cap: { credits: 0.00035, period: 'day' }, limits: { concurrency: 2 } })
    stage.upstream.respond(async (_request, response) => {
      await new Promise(resolve => setTimeout(resolve, 5))
      sendJson(response, chatReply('Hi'))
    })
    let served = 0
    await Promise.all(
      Array.from({ length: 2 }, async () => {
        for (let count = 0; count < 10; count++) if ((await ask()).status === 200) served++
      }),
    )
    expect(served).toBeGreaterThanOrEqual(5)
    expect(served).toBeLessThanOrEqual(6)
  })

  test.each([
    [{ credits: 0, period: 'day' }, /spending_cap/],
    [{ credits: 1, period: 'week' }, /spending_cap/],
    [{ credits: 0.0000001, period: 'day' }, /decimals/],
    [{ credits: 1 }, /spending_cap/],
  ])('%o is refused', async (cap, message) => {
    await expect(patch({ spending_cap: cap })).rejects.toThrow(message)
  })

  test('users see both rules on their keys and can not change them', async () => {
    const made = await stage.gateway.admin.call<ApiKeyRecord>('POST', '/admin/keys', {
      user_id: caller.userId,
      name: 'Ruled',
      models: ['one'],
      spending_cap: { credits: 5, period: 'month' },
    })
    const { data } = await stage.gateway.admin.call<{ data: ApiKeyRecord[] }>(
      'GET',
      `/admin/keys?user_id=${caller.userId}`,
    )
    expect(data.find(({ id }) => id === made.id)).toMatchObject({
      models: ['one'],
      spending_cap: { credits: 5, period: 'month' },
    })
  })
})
