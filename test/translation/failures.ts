/** Every way in which an upstream can fail, the same for all protocols: what the caller is told, and that it costs nothing. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { apiErrorOf, PUBLIC_MODEL, type TranslatedStage } from '#test/support/translated-stage.ts'
import { sendJson } from '#test/support/upstream.ts'

export type FailingWire = {
  /** The body of an error answer. */
  errorBody(type: string, message: string): object
  answer(response: ServerResponse): void
  /** Begins a stream: its head and what comes before any content. */
  begin(response: ServerResponse): void
  content(response: ServerResponse, text: string): void
  /** All that completes a stream, but not the end of the connection. */
  finish(response: ServerResponse): void
  /** An error within a stream. */
  error(response: ServerResponse, error: { readonly type: string; readonly message: string }): void
  /** What the upstream calls being overloaded. */
  readonly overloaded: string
}

const SECRET = 'upstream-secret-that-nobody-sees'

type Row = readonly [status: number, told: number, type: string]

const STATUSES: readonly Row[] = [
  [400, 400, 'invalid_request_error'],
  [401, 502, 'upstream_error'],
  [403, 502, 'upstream_error'],
  [404, 404, 'invalid_request_error'],
  [413, 413, 'invalid_request_error'],
  [422, 422, 'invalid_request_error'],
  [429, 429, 'upstream_rate_limited'],
  [500, 502, 'upstream_error'],
  [503, 502, 'upstream_error'],
  [529, 502, 'upstream_error'],
]

export function describeFailures(stageOf: () => TranslatedStage, wire: FailingWire): void {
  const hello = { model: PUBLIC_MODEL, messages: [{ role: 'user' as const, content: 'Hi' }] }
  const plain = () => stageOf().client.chat.completions.create(hello)
  const streamed = () => stageOf().client.chat.completions.create({ ...hello, stream: true })
  const respond = (handler: (response: ServerResponse) => unknown) =>
    stageOf().upstream.respond((_request, response) => handler(response))

  /** Reads a stream to its end, good or bad. */
  async function readAll() {
    const seen = { text: '', finishReasons: [] as string[], error: null as unknown }
    try {
      for await (const chunk of await streamed()) {
        for (const choice of chunk.choices) {
          seen.text += choice.delta.content ?? ''
          if (choice.finish_reason) seen.finishReasons.push(choice.finish_reason)
        }
      }
    } catch (error) {
      seen.error = error
    }
    return seen
  }

  describe('an error status costs nothing', () => {
    test.each(STATUSES)('%i is told as %i %s', async (status, told, type) => {
      respond(response => sendJson(response, wire.errorBody('some_error', `Because of ${status}`), status))
      for (const call of [plain, streamed]) {
        const error = await apiErrorOf(call())
        expect(error).toMatchObject({ status: told, type })
        // A refusal of the request is told in the upstream's words; any other is none of the caller's business.
        expect(error.message.includes(`Because of ${status}`)).toBe(told === status && status !== 429)
        await stageOf().expectFree()
      }
    })

    test('a throttled call is told when to come back', async () => {
      respond(response => sendJson(response, wire.errorBody('x', 'Slow down'), 429, { 'retry-after': '17' }))
      expect((await apiErrorOf(streamed())).headers?.get('retry-after')).toBe('17')
    })

    test('an error page that is no JSON', async () => {
      respond(response => response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Oops</h1>'))
      expect(await apiErrorOf(plain())).toMatchObject({ status: 502, type: 'upstream_error' })
    })
  })

  describe('an answer that is none costs nothing', () => {
    test.each([
      ['no JSON', 'Hello!'],
      ['half of one', '{"content": [{"type": "te'],
      ['of another shape', '{"hello": "world"}'],
      ['empty', ''],
    ])('%s', async (_name, body) => {
      respond(response => response.writeHead(200, { 'content-type': 'application/json' }).end(body))
      expect(await apiErrorOf(plain())).toMatchObject({ status: 502, type: 'upstream_error' })
      await stageOf().expectFree()
      expect(await apiErrorOf(streamed())).toMatchObject({ status: 502, type: 'upstream_error' })
      await stageOf().expectFree()
    })

    test('a connection that breaks before the answer, and one within it', async () => {
      respond(response => response.destroy())
      expect(await apiErrorOf(plain())).toMatchObject({ status: 502, type: 'upstream_error' })
      respond(response => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"con', () => response.destroy())
      })
      expect(await apiErrorOf(plain())).toMatchObject({ status: 502, type: 'upstream_error' })
      await stageOf().expectFree()
    })
  })

  describe('an upstream that is silent is given up', () => {
    test('before its first byte', async () => {
      respond(() => {})
      expect(await apiErrorOf(plain())).toMatchObject({ status: 504, type: 'upstream_timeout' })
      await stageOf().expectFree()
      await eventually(() => expect(stageOf().upstream.load.now).toBe(0))
    })

    test('within a stream', async () => {
      respond(response => {
        wire.begin(response)
        wire.content(response, 'Hello')
      })
      const { text, finishReasons, error } = await readAll()
      expect({ text, finishReasons }).toEqual({ text: 'Hello', finishReasons: [] })
      expect(error).toMatchObject({ type: 'upstream_timeout' })
      await stageOf().expectFree()
      await eventually(() => expect(stageOf().upstream.load.now).toBe(0))
    })
  })

  describe('a stream that breaks off is no answer', () => {
    test('an error as its first event is told as an error of its own', async () => {
      respond(response => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        wire.error(response, { type: wire.overloaded, message: 'Too many' })
        response.end()
      })
      expect((await apiErrorOf(streamed())).status).toBeGreaterThanOrEqual(429)
      await stageOf().expectFree()
    })

    test.each([
      [
        'an error',
        (response: ServerResponse) => wire.error(response, { type: wire.overloaded, message: SECRET }),
      ],
      ['the end of the connection', (response: ServerResponse) => response.end()],
      ['a cut', (response: ServerResponse) => response.destroy()],
      ['what is no JSON', (response: ServerResponse) => response.end('event: x\ndata: {"half\n\n')],
    ])('%s in the midst of it', async (_name, breakOff) => {
      respond(async response => {
        wire.begin(response)
        wire.content(response, 'Hello')
        await sleep(30)
        breakOff(response)
        if (!response.writableEnded) response.end()
      })
      const { text, finishReasons, error } = await readAll()
      expect({ text, finishReasons }).toEqual({ text: 'Hello', finishReasons: [] })
      expect(error).toMatchObject({ type: expect.stringMatching(/^upstream_/) })
      expect(String(error)).not.toContain(SECRET)
      await stageOf().expectFree()
    })
  })

  test('a stream that is complete stays so when its connection is never closed', async () => {
    respond(response => {
      wire.begin(response)
      wire.content(response, 'Hello')
      wire.finish(response)
    })
    expect(await readAll()).toEqual({ text: 'Hello', finishReasons: ['stop'], error: null })
    expect(await stageOf().lastRecord()).toMatchObject({ status: 'succeeded', usage_source: 'upstream' })
  })

  test('a client that leaves closes the upstream’s connection, and pays for what it got', async () => {
    respond(response => {
      wire.begin(response)
      wire.content(response, 'Hello there, how are you?')
    })
    const stream = await streamed()
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
    await eventually(() => expect(stageOf().upstream.load.now).toBe(0))
    await eventually(async () => {
      const record = await stageOf().lastRecord()
      expect(record).toMatchObject({ status: 'cancelled', usage_source: 'estimate' })
      expect(record.usage.output).toBeGreaterThan(3)
      expect(record.credits).toBeGreaterThan(0)
    })
  })

  test('no credential shows, even where the upstream repeats it', async () => {
    const key = String(stageOf().credential)
    respond(response => sendJson(response, wire.errorBody('x', `Bad key ${key}`), 400))
    expect((await apiErrorOf(plain())).message).not.toContain(key)
  })
}
