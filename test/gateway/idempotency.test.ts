/** A request with an Idempotency-Key is made once and charged once, however often it is sent. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { IdempotencyClaimRow } from '#storage/tables.ts'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { eventually } from '#test/support/eventually.ts'
import {
  type Answer,
  type CallOptions,
  CHAT,
  CHAT_PATH,
  EMBEDDINGS,
  expectError,
  readStream,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { answerWell, chatReply, sendJson } from '#test/support/upstream.ts'

const CONFLICT = { type: 'conflict_error' }
/** What one answer costs, in micro-credits: 10 x 2 + 5 x 10. */
const CHARGE = 70n

let stage: Stage
let caller: NewCaller
let key = ''
let tests = 0
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  caller = await makeCaller(stage.gateway.admin, { limits: { requests: 10_000, concurrency: 50 } })
  stage.upstream.respond(answerWell)
  stage.upstream.requests.length = 0
  key = `key ${++tests}`
})

function ask(
  body: object = CHAT,
  { headers, ...options }: CallOptions = {},
  path = CHAT_PATH,
): Promise<Answer> {
  return stage.call(path, body, {
    token: caller.token,
    ...options,
    headers: { 'idempotency-key': key, ...headers },
  })
}

/** Expects so many charges, each of one answer, and books that add up. */
async function expectCharges(count: number): Promise<void> {
  const books = await readBooks(stage.gateway.app.storage, caller.accountId)
  expectBooksToAddUp(books)
  expect(books.entries.filter(({ kind }) => kind === 'charge')).toHaveLength(count)
  expect(books.account.used_micros).toBe(BigInt(count) * CHARGE)
}

const isRepeat = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true'

/** Has the upstream keep its answers back, until they are given. */
function holdAnswers(): ServerResponse[] {
  const held: ServerResponse[] = []
  stage.upstream.respond((_request, response) => {
    held.push(response)
  })
  return held
}

function claims() {
  return stage.gateway.app.storage.db
    .selectFrom('idempotency_claims')
    .selectAll()
    .where('account_id', '=', caller.accountId)
    .execute()
}

async function changeClaims(change: Partial<IdempotencyClaimRow>): Promise<void> {
  const { storage } = stage.gateway.app
  const query = storage.db
    .updateTable('idempotency_claims')
    .set(change)
    .where('account_id', '=', caller.accountId)
  await storage.commit([{ query, expectRows: 1 }])
}

describe('a repeat of a request that was answered', () => {
  test('gets the same answer, and nothing is asked or charged again', async () => {
    const first = await ask()
    const again = await ask()
    expect(first.status).toBe(200)
    expect({ status: again.status, text: again.text, id: again.requestId }).toEqual({
      status: 200,
      text: first.text,
      id: first.requestId,
    })
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect([isRepeat(first), isRepeat(again)]).toEqual([false, true])
    expect(stage.upstream.requests).toHaveLength(1)
    await expectCharges(1)
    expect((await readBooks(stage.gateway.app.storage, caller.accountId)).requests).toHaveLength(1)
  })

  test('gets it though the upstream is gone and another key of the account asks', async () => {
    const first = await ask()
    stage.upstream.respond((_request, response) => sendJson(response, { error: { message: 'no' } }, 500))
    const other = await stage.gateway.admin.call<{ token: string }>('POST', '/admin/keys', {
      user_id: caller.userId,
      name: 'Another',
    })
    expect((await ask(CHAT, { token: other.token })).text).toBe(first.text)
    await expectCharges(1)
  })

  test('counts in its key’s limits like any request', async () => {
    await ask()
    const again = await ask()
    expect(again.headers.get('x-ratelimit-remaining-requests')).toBe('9998')
    expect(again.headers.get('x-concurrency-remaining')).toBe('49')
  })

  test.each([1, 100_000])('gets every byte of an answer of %i words', async words => {
    stage.upstream.respond((_request, response) => sendJson(response, chatReply('ä€🦆 '.repeat(words))))
    const first = await ask()
    expect((await ask()).text).toBe(first.text)
    expect(isRepeat(await ask())).toBe(true)
  })

  test('is known on every generation route, each by itself', async () => {
    const first = await ask(EMBEDDINGS, {}, '/v1/embeddings')
    expect((await ask(EMBEDDINGS, {}, '/v1/embeddings')).text).toBe(first.text)
    expectError(await ask(), 409, CONFLICT)
    expect(stage.upstream.requests).toHaveLength(1)
  })

  test('is made anew after 24 hours, and what was kept is gone', async () => {
    await ask()
    const [claim] = await claims()
    const dueMs = Date.now() + 24 * 3_600_000
    expect(Math.abs((claim?.expires_at ?? 0) - dueMs)).toBeLessThan(60_000)
    await changeClaims({ expires_at: Date.now() })
    expect(isRepeat(await ask())).toBe(false)
    await expectCharges(2)
    await changeClaims({ expires_at: Date.now() })
    await stage.gateway.app.domains.claims.deleteExpired()
    expect(await claims()).toEqual([])
  })

  test('finds it encrypted in the store, under no key in plain words', async () => {
    stage.upstream.respond((_request, response) => sendJson(response, chatReply('a secret of theirs')))
    await ask()
    const text = JSON.stringify(await claims())
    expect(text).not.toContain('secret of theirs')
    expect(text).not.toContain(key)
  })
})

test('another body under the same key is refused, and another account has keys of its own', async () => {
  await ask()
  expectError(await ask({ ...CHAT, temperature: 1 }), 409, CONFLICT)
  const stranger = await makeCaller(stage.gateway.admin)
  expect(isRepeat(await ask({ ...CHAT, temperature: 1 }, { token: stranger.token }))).toBe(false)
  // Other dialects are told so in their own words.
  const message = await ask({ ...CHAT, max_tokens: 10 }, {}, '/v1/messages')
  expect([message.status, JSON.parse(message.text).error.type]).toEqual([409, 'conflict_error'])
  await expectCharges(1)
})

test.each([
  ['empty', ''],
  ['too long', 'x'.repeat(256)],
  ['of other characters', 'ä'],
])('a key that is %s is refused by name', async (_how, wrong) => {
  const answer = await ask(CHAT, { headers: { 'idempotency-key': wrong } })
  expectError(answer, 400, { type: 'invalid_request_error', message: /Idempotency-Key/ })
})

describe('repeats while the first still runs', () => {
  test('wait for it and get its answer', async () => {
    const held = holdAnswers()
    const calls = Array.from({ length: 10 }, () => ask())
    await eventually(() => expect(held).toHaveLength(1))
    for (const response of held) sendJson(response, chatReply('Hello'))
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(isRepeat)).toHaveLength(9)
    expect(held).toHaveLength(1)
    await expectCharges(1)
  })

  test('are made in its place when it fails', async () => {
    let asked = 0
    stage.upstream.respond((request, response) => {
      if (asked++ === 0) sendJson(response, { error: { message: 'broken' } }, 500)
      else answerWell(request, response)
    })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 502])
    expect(asked).toBe(2)
    await expectCharges(1)
  })

  test('are made in its place when its client leaves, and leave no slot taken when they leave themselves', async () => {
    const held = holdAnswers()
    const leaving = new AbortController()
    const first = ask(CHAT, { signal: leaving.signal }).catch(() => null)
    await eventually(() => expect(held).toHaveLength(1))
    const leavingToo = new AbortController()
    const second = ask(CHAT, { signal: leavingToo.signal }).catch(() => null)
    const third = ask()
    leavingToo.abort()
    await second
    leaving.abort()
    await first
    await eventually(() => expect(held).toHaveLength(2))
    for (const response of held) sendJson(response, chatReply('Hello'))
    expect((await third).status).toBe(200)
    stage.upstream.respond(answerWell)
    await eventually(async () => {
      const { headers } = await stage.call(CHAT_PATH, CHAT, { token: caller.token })
      expect(headers.get('x-concurrency-remaining')).toBe('49')
    })
  })

  test('never lead to a charge of one that lost its claim', async () => {
    const held = holdAnswers()
    const first = ask()
    await eventually(() => expect(held).toHaveLength(1))
    // As if its node had not been heard of for too long.
    await changeClaims({ lapses_at: Date.now() })
    const second = ask()
    await eventually(() => expect(held).toHaveLength(2))
    for (const response of held.splice(0)) sendJson(response, chatReply('Hello'))
    expectError(await first, 409, CONFLICT)
    expect((await second).status).toBe(200)
    await expectCharges(1)
    expect(await stage.recordOf((await first).requestId)).toMatchObject({
      status: 'failed',
      http_status: 409,
      credits: 0,
    })
  })
})

describe('a request that was not charged lets go of its key', () => {
  test.each([400, 429, 500])('after %i of the upstream', async status => {
    stage.upstream.respond((_request, response) => sendJson(response, { error: { message: 'no' } }, status))
    expect((await ask()).status).toBeGreaterThanOrEqual(400)
    expect(await claims()).toEqual([])
    stage.upstream.respond(answerWell)
    expect((await ask()).status).toBe(200)
    await expectCharges(1)
  })

  test('and one that is refused before takes none', async () => {
    expect((await ask({ ...CHAT, model: 'nobody' })).status).toBe(404)
    expect((await ask({ model: 7 })).status).toBe(400)
    expect(await claims()).toEqual([])
  })
})

describe('a stream', () => {
  test('is made once: a second one is refused, whether the first runs or is done', async () => {
    const held = holdAnswers()
    const first = ask(STREAM)
    await eventually(() => expect(held).toHaveLength(1))
    expectError(await ask(STREAM), 409, CONFLICT)
    const [response] = held
    if (response) answerWell(stage.upstream.requests[0] ?? fail(), response)
    expect(readStream((await first).text)).toMatchObject({ isDone: true, error: null })
    expectError(await ask(STREAM), 409, CONFLICT)
    await expectCharges(1)
  })

  test('that was not charged may be made again', async () => {
    stage.upstream.respond((_request, response) => sendJson(response, { error: { message: 'no' } }, 500))
    expect((await ask(STREAM)).status).toBe(502)
    stage.upstream.respond(answerWell)
    expect(readStream((await ask(STREAM)).text).isDone).toBe(true)
    await expectCharges(1)
  })
})

function fail(): never {
  throw new Error('The upstream was not asked')
}
