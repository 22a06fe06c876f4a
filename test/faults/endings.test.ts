/** However a request ends, the one slot of its key is free again at once and the books add up. */
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { StorageUnavailable } from '#storage/storage.ts'
import { makeCaller, makeModel, type NewCaller } from '#test/support/admin-client.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { eventually } from '#test/support/eventually.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { openRawClient } from '#test/support/raw-client.ts'
import {
  answerWell,
  beginSse,
  chatChunk,
  chatReply,
  chatStream,
  event,
  sendJson,
  startUpstream,
  type Upstream,
} from '#test/support/upstream.ts'

let gateway: TestGateway
let upstream: Upstream
let caller: NewCaller

/** A port that nobody listens on. */
async function findClosedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('a server that listens has a port')
  return address.port
}

/** A provider of a kind that no code serves: what calls it meets a fault of the gateway's own. */
async function makeFaulty(providerName: string): Promise<void> {
  const { storage } = gateway.app
  const query = storage.db
    .updateTable('providers')
    .set({ kind: 'no such kind' })
    .where('name', '=', providerName)
  expect((await storage.commit([{ query, expectRows: 1 }])).kind).toBe('committed')
}

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startGateway()
  const { admin } = gateway
  const route = { baseUrl: upstream.baseUrl }
  await makeModel(admin, 'model', { routes: [route], endpoints: ['chat', 'embeddings'] })
  await makeModel(admin, 'chat-only', { routes: [route] })
  const timeouts = { first_byte_ms: 200, idle_ms: 200 }
  await makeModel(admin, 'impatient', { routes: [{ ...route, timeouts }] })
  await makeModel(admin, 'faulty', { routes: [route] })
  await makeFaulty('faulty upstream 0')
  // Making another one has the catalogue read again.
  const nowhere = `http://127.0.0.1:${await findClosedPort()}/v1`
  await makeModel(admin, 'nowhere', { routes: [{ baseUrl: nowhere }] })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})
beforeEach(async () => {
  upstream.respond(answerWell)
  caller = await makeCaller(gateway.admin, { limits: { concurrency: 1 } })
})

const MESSAGES = [{ role: 'user', content: 'Say hello' }]
const OPENING = [chatChunk({ role: 'assistant', content: '' }), chatChunk({ content: 'Hello' })]

type Asked = { readonly status: number; readonly text: string }

type Asking = {
  readonly path?: string
  readonly model?: string
  readonly stream?: boolean
  readonly body?: string
  readonly type?: string
}

async function ask(asking: Asking = {}): Promise<Asked> {
  const { path = 'chat/completions', model = 'model', stream = false, type = 'application/json' } = asking
  const response = await fetch(`${gateway.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': type },
    body: asking.body ?? JSON.stringify({ model, messages: MESSAGES, input: 'Hello', stream }),
  })
  return { status: response.status, text: await response.text() }
}

/** Sends a request, has the client leave when the upstream is at work and `ready` passes. */
async function leave(stream: boolean, ready: (text: string) => void = () => {}): Promise<void> {
  const client = await openRawClient(gateway.url, {
    token: caller.token,
    body: JSON.stringify({ model: 'model', messages: MESSAGES, stream }),
  })
  await eventually(() => {
    expect(upstream.load.now).toBe(1)
    ready(client.text())
  })
  client.leave('RST')
}

/** A client that has stopped reading while the upstream has more for it than all buffers hold, and then goes. */
async function stopReadingAndLeave(): Promise<void> {
  upstream.respond((_request, response) => {
    beginSse(response, OPENING)
    response.write(event(chatChunk({ content: 'x'.repeat(30_000_000) })))
  })
  const client = await openRawClient(gateway.url, {
    token: caller.token,
    body: JSON.stringify({ model: 'model', messages: MESSAGES, stream: true }),
  })
  await eventually(() => expect(client.text()).toContain('Hello'))
  client.socket.pause()
  client.leave('RST')
}

/** Runs with a store that takes no postings. */
async function withFailingStore(run: () => Promise<Asked>): Promise<Asked> {
  const { storage } = gateway.app
  const post = storage.post.bind(storage)
  storage.post = () => Promise.reject(new StorageUnavailable('disk full'))
  try {
    return await run()
  } finally {
    storage.post = post
  }
}

async function useUpCredits(): Promise<Asked> {
  const change = (amount: number) =>
    gateway.admin.call('POST', `/admin/accounts/${caller.accountId}/credits`, {
      amount,
      kind: 'adjustment',
      note: '',
    })
  await change(-1_000)
  const asked = await ask()
  await change(1_000)
  return asked
}

type Ending = {
  readonly name: string
  readonly answer?: (response: ServerResponse) => unknown
  readonly run: () => Promise<unknown>
  /** What the client was told; null when it had gone. */
  readonly told: { readonly status: number; readonly text: string } | null
  /** The record; null when none is left. */
  readonly record: Record<string, unknown> | null
}

function failed(httpStatus: number, errorType: string) {
  return { status: 'failed', http_status: httpStatus, error_type: errorType, charge_micros: 0n }
}
const SUCCEEDED = { status: 'succeeded', http_status: 200, error_type: null, charge_micros: 70n }
const CANCELLED = { status: 'cancelled', error_type: null }

const plain = () => ask()
const streamed = () => ask({ stream: true })

const ENDINGS: Ending[] = [
  { name: 'done', run: plain, told: { status: 200, text: 'Hello there!' }, record: SUCCEEDED },
  { name: 'done, streamed', run: streamed, told: { status: 200, text: '[DONE]' }, record: SUCCEEDED },
  {
    name: 'done, embeddings',
    run: () => ask({ path: 'embeddings' }),
    told: { status: 200, text: 'embedding' },
    record: { ...SUCCEEDED, charge_micros: 16n },
  },
  {
    name: 'the client left while the upstream was thinking',
    answer: () => {},
    run: () => leave(false),
    told: null,
    record: { ...CANCELLED, charge_micros: 0n },
  },
  {
    name: 'the client left the stream',
    answer: response => beginSse(response, OPENING),
    run: () => leave(true, text => expect(text).toContain('Hello')),
    told: null,
    record: { ...CANCELLED, output_tokens: 1, usage_source: 'estimate' },
  },
  {
    name: 'the client stopped reading and then left',
    run: stopReadingAndLeave,
    told: null,
    record: { ...CANCELLED, usage_source: 'estimate' },
  },
  {
    name: 'the upstream refused the request',
    answer: response => sendJson(response, { error: { message: 'too hot', code: 'temperature' } }, 400),
    run: plain,
    told: { status: 400, text: 'too hot' },
    record: failed(400, 'invalid_request_error'),
  },
  {
    name: 'the upstream throttled us',
    answer: response => sendJson(response, {}, 429, { 'retry-after': '3' }),
    run: plain,
    told: { status: 429, text: 'upstream_rate_limited' },
    record: failed(429, 'upstream_rate_limited'),
  },
  {
    name: 'the upstream refused our credential',
    answer: response => sendJson(response, {}, 401),
    run: plain,
    told: { status: 502, text: 'upstream_error' },
    record: failed(502, 'upstream_error'),
  },
  {
    name: 'the upstream failed',
    answer: response => sendJson(response, { error: { message: 'oops' } }, 500),
    run: streamed,
    told: { status: 502, text: 'upstream_error' },
    record: failed(502, 'upstream_error'),
  },
  {
    name: 'the upstream reset the connection',
    answer: response => response.socket?.resetAndDestroy(),
    run: plain,
    told: { status: 502, text: 'upstream_error' },
    record: failed(502, 'upstream_error'),
  },
  {
    name: 'the upstream closed the connection without an answer',
    answer: response => response.socket?.end(),
    run: streamed,
    told: { status: 502, text: 'upstream_error' },
    record: failed(502, 'upstream_error'),
  },
  {
    name: 'nobody listens where the upstream should be',
    run: () => ask({ model: 'nowhere' }),
    told: { status: 502, text: 'upstream_error' },
    record: failed(502, 'upstream_error'),
  },
  {
    name: 'the upstream sent no first byte in time',
    answer: () => {},
    run: () => ask({ model: 'impatient' }),
    told: { status: 504, text: 'upstream_timeout' },
    record: failed(504, 'upstream_timeout'),
  },
  {
    name: 'the upstream fell silent within its answer',
    answer: response => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 })
      response.write('{"id":')
    },
    run: () => ask({ model: 'impatient' }),
    told: { status: 504, text: 'upstream_timeout' },
    record: failed(504, 'upstream_timeout'),
  },
  {
    name: 'the upstream fell silent within a stream',
    answer: response => beginSse(response, OPENING),
    run: () => ask({ model: 'impatient', stream: true }),
    told: { status: 200, text: 'upstream_timeout' },
    record: failed(200, 'upstream_timeout'),
  },
  {
    name: 'the answer was no JSON',
    answer: response => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "x'),
    run: plain,
    told: { status: 502, text: 'upstream_error' },
    record: failed(502, 'upstream_error'),
  },
  {
    name: 'the answer was an error under a status of success',
    answer: response => sendJson(response, { error: { message: 'oops' } }),
    run: plain,
    told: { status: 502, text: 'upstream_error' },
    record: failed(502, 'upstream_error'),
  },
  {
    name: 'the answer was cut off',
    answer: response => {
      const answer = JSON.stringify(chatReply('Hello'))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
      response.write(answer.slice(0, -5), () => response.socket?.end())
    },
    run: plain,
    told: { status: 502, text: 'upstream_error' },
    record: failed(502, 'upstream_error'),
  },
  {
    name: 'the first event of the stream was an error',
    answer: response => {
      beginSse(response, [{ error: { message: 'oops' } }])
      response.end()
    },
    run: streamed,
    told: { status: 502, text: 'upstream_error' },
    record: failed(502, 'upstream_error'),
  },
  {
    name: 'the stream had no event at all',
    answer: response => {
      beginSse(response)
      response.end()
    },
    run: streamed,
    told: { status: 502, text: 'upstream_error' },
    record: failed(502, 'upstream_error'),
  },
  {
    name: 'the stream ended before its finish reason',
    answer: response => {
      beginSse(response, OPENING)
      response.end()
    },
    run: streamed,
    told: { status: 200, text: 'upstream_error' },
    record: failed(200, 'upstream_error'),
  },
  {
    name: 'the stream was reset',
    answer: response => {
      beginSse(response, OPENING)
      setTimeout(() => response.socket?.resetAndDestroy(), 50)
    },
    run: streamed,
    told: { status: 200, text: 'upstream_error' },
    record: failed(200, 'upstream_error'),
  },
  {
    name: 'an event of the stream was no JSON',
    answer: response => {
      beginSse(response, [...OPENING, '{"id": "x'])
      response.end()
    },
    run: streamed,
    told: { status: 200, text: 'upstream_error' },
    record: failed(200, 'upstream_error'),
  },
  {
    name: 'the model is unknown',
    run: () => ask({ model: 'no/such' }),
    told: { status: 404, text: 'model_not_found' },
    record: failed(404, 'invalid_request_error'),
  },
  {
    name: 'the model does not serve the route',
    run: () => ask({ model: 'chat-only', path: 'embeddings' }),
    told: { status: 400, text: 'model_not_supported' },
    record: failed(400, 'invalid_request_error'),
  },
  {
    name: 'the body is no JSON',
    run: () => ask({ body: '{"model":' }),
    told: { status: 400, text: 'JSON' },
    record: failed(400, 'invalid_request_error'),
  },
  {
    name: 'the body is said to be no JSON',
    run: () => ask({ type: 'text/plain' }),
    told: { status: 415, text: 'invalid_request_error' },
    record: failed(415, 'invalid_request_error'),
  },
  {
    name: 'the account had no credits left',
    run: useUpCredits,
    told: { status: 429, text: 'AI credit quota exhausted' },
    record: null,
  },
  {
    name: 'the gateway itself had a fault',
    run: () => ask({ model: 'faulty' }),
    told: { status: 500, text: 'internal_error' },
    record: failed(500, 'internal_error'),
  },
  {
    name: 'the charge could not be stored',
    run: () => withFailingStore(plain),
    told: { status: 503, text: 'service_unavailable' },
    record: null,
  },
  {
    name: 'the charge for a stream could not be stored',
    run: () => withFailingStore(streamed),
    told: { status: 200, text: 'service_unavailable' },
    record: null,
  },
]

describe('the slot is free and the books add up when', () => {
  test.each(ENDINGS)('$name', async ({ answer, run, told, record }) => {
    if (answer) upstream.respond((_request, response) => answer(response))
    const asked = await run()
    const endedMs = performance.now()

    upstream.respond(answerWell)
    await eventually(async () => expect(await ask()).toMatchObject({ status: 200 }))
    expect(performance.now() - endedMs).toBeLessThan(1_000)
    if (told) {
      expect(asked).toMatchObject({ status: told.status, text: expect.stringContaining(told.text) })
      if (told.text !== '[DONE]') expect(JSON.stringify(asked)).not.toContain('[DONE]')
    }
    // A client that left has its slot back at once; what it used may still be reckoned.
    const records = record === null ? 1 : 2
    await eventually(async () => {
      const { requests } = await readBooks(gateway.app.storage, caller.accountId)
      expect(requests).toHaveLength(records)
    })
    const books = await readBooks(gateway.app.storage, caller.accountId)
    expect(books.requests.slice(0, -1)).toEqual(record === null ? [] : [expect.objectContaining(record)])
    expect(books.requests.at(-1)).toMatchObject(SUCCEEDED)
    expectBooksToAddUp(books)
    const charged = books.requests.reduce((sum, request) => sum + request.charge_micros, 0n)
    expect(await gateway.balanceOf(caller.accountId)).toBe(1_000_000_000n - charged)
  })
})

test('an upstream that is done but never closes does not hold the slot', async () => {
  upstream.respond((_request, response) => beginSse(response, chatStream(['Hello'])))
  expect(await streamed()).toMatchObject({ status: 200, text: expect.stringContaining('[DONE]') })
  upstream.respond(answerWell)
  expect(await plain()).toMatchObject({ status: 200 })
})
