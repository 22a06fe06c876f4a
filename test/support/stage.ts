/** The service with a model on an upstream, and what tests of the protected routes ask of it again and again. */
import { expect } from 'vitest'
import type { RequestRecord } from '#domains/usage/request-record.ts'
import { makeCaller, makeModel, type NewCaller } from './admin-client.ts'
import { startGateway, type TestGateway } from './gateway.ts'
import { startUpstream, type Upstream } from './upstream.ts'

export const MODEL = 'public/model'
export const MESSAGES = [{ role: 'user', content: 'Hi' }]
export const CHAT = { model: MODEL, messages: MESSAGES }
export const STREAM = { ...CHAT, stream: true }
export const EMBEDDINGS = { model: MODEL, input: 'Hi' }
export const CHAT_PATH = '/v1/chat/completions'

export type CallOptions = {
  readonly method?: string
  readonly token?: string
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

/** An answer that was read to its end. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly requestId: string
}

export type Stage = {
  readonly gateway: TestGateway
  /** The one route of `MODEL`, for chat and embeddings. */
  readonly upstream: Upstream
  readonly caller: NewCaller
  /** Calls a route with the caller's key; a body that is no string is sent as JSON. */
  open(path: string, body?: unknown, options?: CallOptions): Promise<Response>
  /** Calls a route and reads the answer to its end. */
  call(path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  /** The record of a request, as the administrator sees it. */
  recordOf(requestId: string): Promise<RequestRecord>
  /** Expects an error that is on record and cost nothing. */
  expectFreeError(answer: Answer, status: number, expected: ExpectedError): Promise<void>
  close(): Promise<void>
}

export async function startStage(options: Parameters<typeof startGateway>[0] = {}): Promise<Stage> {
  const upstream = await startUpstream()
  const gateway = await startGateway(options)
  await makeModel(gateway.admin, MODEL, {
    routes: [{ baseUrl: upstream.baseUrl }],
    endpoints: ['chat', 'embeddings'],
  })
  const caller = await makeCaller(gateway.admin, {
    credits: 1_000_000,
    limits: { requests: 100_000, concurrency: 1_000 },
  })
  const open: Stage['open'] = (path, body, { method, token = caller.token, headers, signal } = {}) =>
    fetch(`${gateway.url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
      signal,
    })
  const recordOf: Stage['recordOf'] = async requestId => {
    const { data } = await gateway.admin.call<{ data: RequestRecord[] }>('GET', '/admin/requests?limit=100')
    const record = data.find(({ id }) => id === requestId)
    if (!record) throw new Error(`No record of ${requestId} among the last hundred`)
    return record
  }
  return {
    gateway,
    upstream,
    caller,
    open,
    call: async (path, body, options) => readAnswer(await open(path, body, options)),
    recordOf,
    expectFreeError: async (answer, status, expected) => {
      expectError(answer, status, expected)
      expect(await recordOf(answer.requestId)).toMatchObject({
        status: 'failed',
        http_status: status,
        credits: 0,
        usage: { input: 0, cache_read: 0, cache_write: 0, output: 0 },
        usage_source: null,
        error: { type: expected.type, code: expected.code ?? null },
      })
    },
    close: async () => {
      await gateway.close()
      await upstream.close()
    },
  }
}

export async function readAnswer(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    requestId: response.headers.get('x-request-id') ?? '',
  }
}

/** The data of each event of a stream, read as the standard says and by none of the service's own code. */
export function eventsOf(text: string): string[] {
  const events: string[] = []
  let data: string[] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line === '') {
      if (data.length > 0) events.push(data.join('\n'))
      data = []
    } else if (/^data(:|$)/.test(line)) data.push(line.replace(/^data:? ?/, ''))
  }
  return events
}

type Chunk = {
  readonly choices: { index: number; delta: { content?: string }; finish_reason: string | null }[]
}

/** What a client understands of a stream. */
export function readStream(text: string) {
  const events = eventsOf(text)
  const bodies = events.filter(data => data !== '[DONE]').map(data => JSON.parse(data))
  const chunks: Chunk[] = bodies.filter(body => !('error' in body))
  const choices = chunks.flatMap(chunk => chunk.choices)
  return {
    isDone: events.at(-1) === '[DONE]',
    text: choices.map(choice => choice.delta.content ?? '').join(''),
    finishReasons: choices.flatMap(choice => choice.finish_reason ?? []),
    chunks,
    error: bodies.find(body => 'error' in body)?.error ?? null,
    last: events.at(-1),
  }
}

/** What the contract promises of an error: type and code to the letter, a message in words. */
export type ExpectedError = {
  readonly type: string
  readonly code?: string | null
  readonly message?: string | RegExp
}

/** Expects the one envelope, and nothing beside it. */
export function expectEnvelope(text: string, { type, code = null, message }: ExpectedError): void {
  const body = JSON.parse(text)
  expect(body).toEqual({ error: { type, code, message: expect.any(String) } })
  expect(body.error.message).not.toBe('')
  if (typeof message === 'string') expect(body.error.message).toBe(message)
  else if (message) expect(body.error.message).toMatch(message)
}

/** Expects an error answer with its status and the headers that all of them carry. */
export function expectError(answer: Answer, status: number, expected: ExpectedError): void {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status })
  expectEnvelope(answer.text, expected)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.requestId).toMatch(/^req_[0-9a-z]+$/)
}
