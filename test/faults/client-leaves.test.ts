/** A client may leave at any moment: the upstream is cancelled, the slot is free, and what it got is what it pays. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCaller, makeModel, type NewCaller } from '#test/support/admin-client.ts'
import { type Books, expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { eventually } from '#test/support/eventually.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { type Leaving, openRawClient, type RawClient } from '#test/support/raw-client.ts'
import {
  answerWell,
  beginSse,
  chatChunk,
  chatReply,
  event,
  startUpstream,
  type Upstream,
  usageChunk,
} from '#test/support/upstream.ts'

let gateway: TestGateway
let upstream: Upstream
let caller: NewCaller

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startGateway()
  await makeModel(gateway.admin, 'model', { routes: [{ baseUrl: upstream.baseUrl }] })
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
const ROLE = chatChunk({ role: 'assistant', content: '' })
const CONTENT = ['Hello', ' there'].map(content => chatChunk({ content }))
const FINISH = chatChunk({}, 'stop')
/** The tokens of the content above by the encoding that estimates go by. */
const OUTPUT_TOKENS = 2

type Expected = {
  readonly status: 'cancelled' | 'succeeded'
  /** What the charge was reckoned from; null where there is none. */
  readonly source: 'upstream' | 'estimate' | null
}

type Stage = {
  readonly name: string
  readonly stream: boolean
  /** Send only this much of the body. */
  readonly sendBytes?: number
  /** What the upstream does before it falls silent. */
  readonly answer: (response: ServerResponse) => unknown
  /** When the client leaves. */
  readonly ready: (client: RawClient) => void
  readonly upstreamIsOpen: boolean
  readonly expected: Expected
}

const LEFT_FREE: Expected = { status: 'cancelled', source: null }

function upstreamHasTheRequest(): void {
  expect(upstream.load.now).toBe(1)
}

function ask(): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'model', messages: MESSAGES }),
  })
}

function clientHas(text: string): (client: RawClient) => void {
  return client => expect(client.text()).toContain(text)
}

/** Whether the gateway has read all that the upstream wrote can't be seen from outside: a later comment tells. */
const MARK = ': all of it was read\n\n'

const STAGES: Stage[] = [
  {
    name: 'while it sends the body',
    stream: true,
    sendBytes: 20,
    answer: () => {},
    ready: clientHas('100 Continue'),
    upstreamIsOpen: false,
    expected: LEFT_FREE,
  },
  {
    name: 'after the body, before the upstream answered',
    stream: true,
    answer: () => {},
    ready: upstreamHasTheRequest,
    upstreamIsOpen: true,
    expected: LEFT_FREE,
  },
  {
    name: 'after the upstream began to answer, before any event',
    stream: true,
    answer: response => beginSse(response, []) ?? response.write(': wait\n\n'),
    ready: upstreamHasTheRequest,
    upstreamIsOpen: true,
    expected: LEFT_FREE,
  },
  {
    name: 'after the chunk that has only a role',
    stream: true,
    answer: response => beginSse(response, [ROLE]),
    ready: clientHas('"role":"assistant"'),
    upstreamIsOpen: true,
    expected: LEFT_FREE,
  },
  {
    name: 'after one piece of content',
    stream: true,
    answer: response => beginSse(response, [ROLE, chatChunk({ content: 'Hello there' })]),
    ready: clientHas('Hello there'),
    upstreamIsOpen: true,
    expected: { status: 'cancelled', source: 'estimate' },
  },
  {
    name: 'after some content, when the upstream reports as it goes',
    stream: true,
    answer: response => beginSse(response, [ROLE, { ...CONTENT[0], usage: usageChunk().usage }]),
    ready: clientHas('Hello'),
    upstreamIsOpen: true,
    expected: { status: 'cancelled', source: 'upstream' },
  },
  {
    name: 'after all content, before the finish reason',
    stream: true,
    answer: response => beginSse(response, [ROLE, ...CONTENT]),
    ready: clientHas(' there'),
    upstreamIsOpen: true,
    expected: { status: 'cancelled', source: 'estimate' },
  },
  {
    name: 'after the finish reason, before the usage',
    stream: true,
    answer: response => beginSse(response, [ROLE, ...CONTENT, FINISH]),
    ready: clientHas(' there'),
    upstreamIsOpen: true,
    expected: { status: 'cancelled', source: 'estimate' },
  },
  {
    name: 'after the usage, before [DONE]',
    stream: true,
    answer: response => beginSse(response, [ROLE, ...CONTENT, FINISH, usageChunk()]),
    ready: clientHas(' there'),
    upstreamIsOpen: true,
    expected: { status: 'cancelled', source: 'upstream' },
  },
  {
    name: 'after everything',
    stream: true,
    answer: response => {
      beginSse(response, [ROLE, ...CONTENT, FINISH, usageChunk(), '[DONE]'])
      response.end()
    },
    ready: clientHas('[DONE]'),
    upstreamIsOpen: false,
    expected: { status: 'succeeded', source: 'upstream' },
  },
  {
    name: 'not streaming, while it sends the body',
    stream: false,
    sendBytes: 20,
    answer: () => {},
    ready: clientHas('100 Continue'),
    upstreamIsOpen: false,
    expected: LEFT_FREE,
  },
  {
    name: 'not streaming, while the upstream thinks',
    stream: false,
    answer: () => {},
    ready: upstreamHasTheRequest,
    upstreamIsOpen: true,
    expected: LEFT_FREE,
  },
  {
    name: 'not streaming, while the answer arrives',
    stream: false,
    answer: response => {
      const answer = JSON.stringify(chatReply('Hello there'))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
      response.write(answer.slice(0, 40))
    },
    ready: upstreamHasTheRequest,
    upstreamIsOpen: true,
    expected: LEFT_FREE,
  },
  {
    name: 'not streaming, after everything',
    stream: false,
    answer: response =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(chatReply('Hello there'))),
    ready: clientHas('Hello there'),
    upstreamIsOpen: false,
    expected: { status: 'succeeded', source: 'upstream' },
  },
]

const LEAVINGS: Leaving[] = ['RST', 'FIN']

/** The books once the one request is on record. */
async function booksAfterOne(): Promise<Books> {
  let books: Books | undefined
  await eventually(async () => {
    books = await readBooks(gateway.app.storage, caller.accountId)
    expect(books.requests).toHaveLength(1)
  })
  if (!books) throw new Error('`eventually` has passed')
  return books
}

/** The key's only slot is free when the next request is let in. */
async function expectFreeSlot(): Promise<void> {
  upstream.respond(answerWell)
  await eventually(async () => {
    const response = await ask()
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 })
  })
}

function expectCharge({ entries, requests }: Books, { status, source }: Expected): void {
  const [request] = requests
  const charges = entries.filter(entry => entry.kind === 'charge')
  expect(request).toMatchObject({ status, usage_source: source })
  if (source === null) {
    expect(charges).toEqual([])
    expect(request?.charge_micros).toBe(0n)
    return
  }
  expect(charges).toHaveLength(1)
  if (source === 'upstream') {
    expect(request).toMatchObject({ input_tokens: 10, output_tokens: 5, charge_micros: 70n })
    return
  }
  // What the client asked is estimated too: a few words and what wraps them.
  expect(request?.input_tokens).toBeGreaterThanOrEqual(2)
  expect(request?.input_tokens).toBeLessThan(20)
  expect(request?.output_tokens).toBe(OUTPUT_TOKENS)
  expect(request?.charge_micros).toBe(BigInt((request?.input_tokens ?? 0) * 2 + OUTPUT_TOKENS * 10))
}

describe.each(LEAVINGS)('a client that leaves with a %s', how => {
  // A second is promised: a crowded machine may spoil one try, a defect spoils them all.
  test.each(STAGES)(
    '$name',
    { retry: 2 },
    async ({ stream, sendBytes, answer, ready, upstreamIsOpen, expected }) => {
      const cancelledBefore = upstream.cancelled.length
      const requestsBefore = upstream.requests.length
      upstream.respond((_request, response) => {
        answer(response)
        if (stream && response.headersSent && !response.writableEnded) response.write(MARK)
      })
      const body = JSON.stringify({ model: 'model', messages: MESSAGES, stream })
      const client = await openRawClient(gateway.url, {
        token: caller.token,
        body,
        // The interim answer tells that the gateway has the request.
        ...(sendBytes === undefined ? {} : { sendBytes, headers: { expect: '100-continue' } }),
      })
      await eventually(() => ready(client))
      client.leave(how)
      const leftAtMs = performance.now()

      if (upstreamIsOpen) {
        await eventually(() => expect(upstream.cancelled.length).toBe(cancelledBefore + 1), 1_000)
        expect(performance.now() - leftAtMs).toBeLessThan(1_000)
      } else {
        expect(upstream.cancelled.length).toBe(cancelledBefore)
      }
      expect(upstream.requests.length - requestsBefore).toBe(sendBytes === undefined ? 1 : 0)
      const books = await booksAfterOne()
      expectCharge(books, expected)
      expectBooksToAddUp(books)
      await expectFreeSlot()
      expectBooksToAddUp(await readBooks(gateway.app.storage, caller.accountId))
      client.socket.destroy()
    },
  )
})

describe.each(LEAVINGS)('a client that leaves with a %s in the moment that it has come', how => {
  test.each([0, 20, undefined])('having sent %s bytes of the body', async sendBytes => {
    const upstreamBefore = upstream.cancelled.length
    upstream.respond(() => {})
    for (let turn = 0; turn < 10; turn++) {
      const client = await openRawClient(gateway.url, {
        token: caller.token,
        body: JSON.stringify({ model: 'model', messages: MESSAGES }),
        ...(sendBytes === undefined ? {} : { sendBytes }),
      })
      // The kernel takes what was written; whether the gateway reads it before the connection is gone is luck.
      client.leave(how)
    }
    await eventually(() => expect(upstream.load.now).toBe(0))
    await expectFreeSlot()
    const books = await readBooks(gateway.app.storage, caller.accountId)
    expect(books.requests.filter(request => request.status === 'succeeded')).toHaveLength(1)
    expect(upstream.cancelled.length - upstreamBefore).toBeLessThanOrEqual(10)
    expectBooksToAddUp(books)
  })
})

describe('what was relayed is what is estimated', () => {
  test.each([1, 2, 5, 40])('%d words', async words => {
    upstream.respond((_request, response) => {
      beginSse(response, [ROLE])
      for (let word = 0; word < words; word++) response.write(event(chatChunk({ content: ' apple' })))
    })
    const client = await openRawClient(gateway.url, {
      token: caller.token,
      body: JSON.stringify({ model: 'model', messages: MESSAGES, stream: true }),
    })
    await eventually(() => expect(client.text().split(' apple')).toHaveLength(words + 1))
    client.leave('RST')
    const { requests } = await booksAfterOne()
    expect(requests[0]).toMatchObject({
      status: 'cancelled',
      usage_source: 'estimate',
      output_tokens: words,
    })
  })
})

test('an error text that the upstream sends in the end is never charged', async () => {
  upstream.respond((_request, response) => {
    beginSse(response, [ROLE, { error: { message: 'A very long text about what went wrong '.repeat(50) } }])
    response.end()
  })
  const client = await openRawClient(gateway.url, {
    token: caller.token,
    body: JSON.stringify({ model: 'model', messages: MESSAGES, stream: true }),
  })
  await eventually(() => expect(client.text()).toContain('"error"'))
  client.leave('RST')
  const books = await booksAfterOne()
  expect(books.requests[0]).toMatchObject({ status: 'failed', charge_micros: 0n })
  expectBooksToAddUp(books)
})
