/** Each call explains itself afterwards: one record of one shape, for the administrator and for the account's own people. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestRecord } from '#contract/usage.ts'
import type { RequestRecord } from '#domains/usage/request-record.ts'
import { makeCaller, makeModel, type NewCaller, WEIGHTS } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { CHAT, CHAT_PATH, EMBEDDINGS, MODEL, STREAM, type Stage, startStage } from '#test/support/stage.ts'
import { answerWell, beginSse, chatChunk, sendJson } from '#test/support/upstream.ts'

let stage: Stage
let caller: NewCaller
beforeAll(async () => {
  stage = await startStage()
  caller = stage.caller
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.respond(answerWell))

const FIELDS = [
  'id',
  'object',
  'created_at',
  'key_id',
  'model',
  'endpoint',
  'stream',
  'route',
  'status',
  'http_status',
  'usage',
  'weights',
  'credits',
  'usage_source',
  'latency_ms',
  'time_to_first_token_ms',
  'error',
]
type Listed = { readonly data: RequestRecord[]; readonly next_cursor: string | null }
/** What the administrator is told beside: whose it is. */
type Accounted = { readonly account_id: string; readonly account: unknown }

const NO_TOKENS = { input: 0, cache_read: 0, cache_write: 0, output: 0 }
const ROUTE = { provider: `${MODEL} upstream 0`, upstream_model: 'upstream-model' }

/** Expects every field of the contract, each of its type, and the times that a call of this moment can have. */
function expectShape(record: RequestRecord): void {
  expect(Object.keys(record)).toEqual(expect.arrayContaining(FIELDS))
  requestRecord.parse(record)
  expect(record.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  expect(Math.abs(Date.parse(record.created_at) - Date.now())).toBeLessThan(60_000)
  expect(record.latency_ms).toBeGreaterThanOrEqual(0)
  expect(record.latency_ms).toBeLessThan(60_000)
}

async function newestOf({ keyId }: NewCaller): Promise<RequestRecord> {
  const { data } = await stage.gateway.admin.call<{ data: RequestRecord[] }>(
    'GET',
    `/admin/requests?key_id=${keyId}&limit=1`,
  )
  if (!data[0]) throw new Error('No record yet')
  return data[0]
}

describe('a record', () => {
  test('of a completion', async () => {
    const { requestId } = await stage.call(CHAT_PATH, CHAT, { headers: { 'x-request-id': 'my-own-id' } })
    const record = await stage.recordOf(requestId)
    expectShape(record)
    expect(record).toMatchObject({
      id: requestId,
      object: 'request',
      key_id: caller.keyId,
      model: MODEL,
      endpoint: 'chat',
      stream: false,
      route: ROUTE,
      status: 'succeeded',
      http_status: 200,
      usage: { ...NO_TOKENS, input: 10, output: 5 },
      weights: WEIGHTS,
      credits: 0.00007,
      usage_source: 'upstream',
      time_to_first_token_ms: null,
      error: null,
      client_request_id: 'my-own-id',
    })
  })

  test('of a stream says when the first piece of content went out', async () => {
    const { requestId } = await stage.call(CHAT_PATH, STREAM)
    const record = await stage.recordOf(requestId)
    expectShape(record)
    expect(record).toMatchObject({
      stream: true,
      status: 'succeeded',
      credits: 0.00007,
      client_request_id: null,
    })
    expect(record.time_to_first_token_ms).toBeGreaterThanOrEqual(0)
    expect(record.time_to_first_token_ms).toBeLessThanOrEqual(record.latency_ms)
  })

  test('of embeddings', async () => {
    const { requestId } = await stage.call('/v1/embeddings', EMBEDDINGS)
    const record = await stage.recordOf(requestId)
    expectShape(record)
    expect(record).toMatchObject({
      endpoint: 'embeddings',
      stream: false,
      status: 'succeeded',
      usage: { ...NO_TOKENS, input: 8 },
    })
  })

  test('of a call that failed upstream', async () => {
    stage.upstream.respond((_request, response) => sendJson(response, {}, 500))
    const { requestId } = await stage.call(CHAT_PATH, CHAT)
    const record = await stage.recordOf(requestId)
    expectShape(record)
    expect(record).toMatchObject({
      model: MODEL,
      route: ROUTE,
      status: 'failed',
      http_status: 502,
      usage: NO_TOKENS,
      weights: WEIGHTS,
      credits: 0,
      usage_source: null,
      error: { type: 'upstream_error', code: null },
    })
  })

  test('of a call whose model is not there', async () => {
    const { requestId } = await stage.call(CHAT_PATH, { ...CHAT, model: 'none' })
    const record = await stage.recordOf(requestId)
    expectShape(record)
    expect(record).toMatchObject({
      model: 'none',
      route: null,
      status: 'failed',
      http_status: 404,
      credits: 0,
      error: { type: 'invalid_request_error', code: 'model_not_found' },
    })
  })

  test('of a body that could not be read', async () => {
    const { requestId } = await stage.call(CHAT_PATH, '{')
    const record = await stage.recordOf(requestId)
    expectShape(record)
    expect(record).toMatchObject({
      route: null,
      status: 'failed',
      http_status: 400,
      credits: 0,
      usage: NO_TOKENS,
    })
  })

  test('of a stream that its client left after some content', async () => {
    const leaving = await makeCaller(stage.gateway.admin)
    stage.upstream.respond((_request, response) =>
      beginSse(response, [chatChunk({ content: 'Hello' }), chatChunk({ content: ' there' })]),
    )
    const abort = new AbortController()
    const response = await stage.open(CHAT_PATH, STREAM, { token: leaving.token, signal: abort.signal })
    let text = ''
    await expect(
      (async () => {
        for await (const piece of response.body ?? []) {
          text += Buffer.from(piece).toString()
          if (text.includes('there')) abort.abort()
        }
      })(),
    ).rejects.toThrow()
    await eventually(() => newestOf(leaving))
    const record = await newestOf(leaving)
    expectShape(record)
    expect(record).toMatchObject({
      status: 'cancelled',
      route: ROUTE,
      usage: { output: 2 },
      usage_source: 'estimate',
      error: null,
    })
    expect(record.usage.input).toBeGreaterThan(0)
    expect(record.credits).toBe(
      (record.usage.input * WEIGHTS.input + record.usage.output * WEIGHTS.output) / 1e6,
    )
  })

  test('of a call that its client left before anything came', async () => {
    const leaving = await makeCaller(stage.gateway.admin)
    stage.upstream.respond(() => {})
    const before = stage.upstream.requests.length
    const abort = new AbortController()
    const call = stage.open(CHAT_PATH, STREAM, { token: leaving.token, signal: abort.signal })
    await eventually(() => expect(stage.upstream.requests.length).toBe(before + 1))
    abort.abort()
    await expect(call).rejects.toThrow()
    await eventually(() => newestOf(leaving))
    const record = await newestOf(leaving)
    expectShape(record)
    expect(record).toMatchObject({
      status: 'cancelled',
      usage: NO_TOKENS,
      credits: 0,
      usage_source: null,
      time_to_first_token_ms: null,
    })
  })

  test.each([
    ['too long to be an id', 'x'.repeat(129)],
    ['two words', 'two words'],
    ['empty', ''],
  ])('does not keep a client id that is %s', async (_what, id) => {
    const answer = await stage.call(CHAT_PATH, CHAT, { headers: { 'x-request-id': id } })
    expect(answer.requestId).toMatch(/^req_/)
    expect((await stage.recordOf(answer.requestId)).client_request_id).toBeNull()
  })
})

describe('who sees records', () => {
  /** Signs a person up at the portal, with credits; gives the cookie, the account and a key of their own. */
  async function signUp(email: string) {
    const signedUp = await fetch(`${stage.gateway.url}/client/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'long enough password', name: 'A person' }),
    })
    expect(signedUp.status).toBe(201)
    const cookie = (signedUp.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
    const get = async <Answer>(path: string): Promise<Answer> => {
      const response = await fetch(stage.gateway.url + path, { headers: { cookie } })
      // What a route answers is for the test that asks to know.
      return (await response.json()) as Answer
    }
    const { account } = await get<{ account: { id: string } }>('/client/me')
    await stage.gateway.admin.call('POST', `/admin/accounts/${account.id}/credits`, {
      amount: 1,
      kind: 'grant',
      note: '',
    })
    const key = await fetch(`${stage.gateway.url}/client/keys`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'A key' }),
    })
    const { id: keyId, token }: Record<string, string> = Object(await key.json())
    return { get, keyId, token: token ?? '' }
  }

  test('people of the account see its own, the same as the administrator does but for whose they are, and no others', async () => {
    const [one, two] = [await signUp('one@example.org'), await signUp('two@example.org')]
    const mine = await stage.call(CHAT_PATH, CHAT, { token: one.token })
    const theirs = await stage.call(CHAT_PATH, CHAT, { token: two.token })
    const seen = await one.get<Listed>('/client/requests')
    const known: Partial<RequestRecord & Accounted> = await stage.recordOf(mine.requestId)
    const { account_id: _, account: __, ...record } = known
    expect(seen).toEqual({ object: 'list', data: [record], next_cursor: null })
    expect(await one.get(`/client/requests?key_id=${two.keyId}`)).toMatchObject({ data: [] })
    const all = await stage.gateway.admin.call<{ data: RequestRecord[] }>('GET', '/admin/requests?limit=2')
    expect(all.data.map(({ id }) => id)).toEqual([theirs.requestId, mine.requestId])
  })

  test('newest first, page by page, by model and by status', async () => {
    await makeModel(stage.gateway.admin, 'another', { routes: [{ baseUrl: stage.upstream.baseUrl }] })
    const person = await signUp('pages@example.org')
    const ids: string[] = []
    for (const body of [CHAT, { ...CHAT, model: 'another' }, '{', CHAT, { ...CHAT, model: 'another' }]) {
      ids.unshift((await stage.call(CHAT_PATH, body, { token: person.token })).requestId)
    }
    const idsOf = ({ data }: Listed) => data.map(({ id }) => id)
    const first = await person.get<Listed>('/client/requests?limit=2')
    const second = await person.get<Listed>(`/client/requests?limit=2&cursor=${first.next_cursor}`)
    const third = await person.get<Listed>(`/client/requests?limit=2&cursor=${second.next_cursor}`)
    expect([first, second, third].flatMap(idsOf)).toEqual(ids)
    expect(third.next_cursor).toBeNull()
    expect(idsOf(await person.get<Listed>('/client/requests?model=another'))).toEqual([ids[0], ids[3]])
    expect(idsOf(await person.get<Listed>('/client/requests?status=failed'))).toEqual([ids[2]])
    expect(
      idsOf(
        await person.get<Listed>(`/client/requests?status=succeeded&model=another&key_id=${person.keyId}`),
      ),
    ).toEqual([ids[0], ids[3]])
  })

  test('each charge is one entry of the ledger that names its request', async () => {
    const person = await signUp('ledger@example.org')
    const { requestId } = await stage.call(CHAT_PATH, CHAT, { token: person.token })
    stage.upstream.respond((_request, response) => sendJson(response, {}, 500))
    await stage.call(CHAT_PATH, CHAT, { token: person.token })
    const { data } = await person.get<{ data: unknown[] }>('/client/ledger')
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^led_/),
        object: 'ledger_entry',
        kind: 'charge',
        amount: -0.00007,
        balance_after: 0.99993,
        request_id: requestId,
        order_id: null,
        note: '',
        created_at: expect.any(String),
      },
      {
        id: expect.stringMatching(/^led_/),
        object: 'ledger_entry',
        kind: 'grant',
        amount: 1,
        balance_after: 1,
        request_id: null,
        order_id: null,
        note: '',
        created_at: expect.any(String),
      },
    ])
  })
})
