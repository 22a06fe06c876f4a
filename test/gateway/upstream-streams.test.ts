/** Whatever way an upstream writes its events, and wherever it breaks off, a client gets the truth and pays for it once. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CHAT_PATH,
  eventsOf,
  expectEnvelope,
  expectError,
  readStream,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { chatChunk, chatStream, event, usageChunk } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

const CHUNKS = [
  chatChunk({ role: 'assistant', content: '' }),
  chatChunk({ content: 'Hello' }),
  chatChunk({ content: ' thére' }),
  chatChunk({ content: '!' }),
  chatChunk({}, 'stop'),
  usageChunk(),
]
/** How many events come before the one with the finish reason. */
const BEFORE_FINISH = 4
const DATA = [...CHUNKS.map(chunk => JSON.stringify(chunk)), '[DONE]']
const CHARGE = 0.00007

function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

/** Hands bytes to the network before going on, so that what follows can't overtake them. */
function flush(response: ServerResponse, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => response.write(bytes, error => (error ? reject(error) : resolve())))
}

const DIALECTS: readonly [name: string, text: string][] = [
  ['line feeds', DATA.map(data => `data: ${data}\n\n`).join('')],
  ['carriage returns and line feeds', DATA.map(data => `data: ${data}\r\n\r\n`).join('')],
  ['carriage returns alone', DATA.map(data => `data: ${data}\r\r`).join('')],
  ['no space after the colon', DATA.map(data => `data:${data}\n\n`).join('')],
  ['comments between events', DATA.map(data => `: keep-alive\n\n:\n\ndata: ${data}\n\n`).join('')],
  ['comments within events', DATA.map(data => `: one\ndata: ${data}\n: two\n\n`).join('')],
  [
    'other fields around the data',
    DATA.map((data, at) => `event: message\nid: ${at}\ndata: ${data}\nretry: 5\n\n`).join(''),
  ],
  ['a byte order mark', `\uFEFF${DATA.map(data => `data: ${data}\n\n`).join('')}`],
  ['more blank lines than needed', DATA.map(data => `\n\ndata: ${data}\n\n\n`).join('')],
  [
    'data over many lines',
    [...CHUNKS.map(chunk => JSON.stringify(chunk, null, 1)), '[DONE]']
      .map(data => `data: ${data.replaceAll('\n', '\ndata: ')}\n\n`)
      .join(''),
  ],
  [
    'data over many lines that end in CRLF',
    [...CHUNKS.map(chunk => JSON.stringify(chunk, null, 1)), '[DONE]']
      .map(data => `data: ${data.replaceAll('\n', '\r\ndata: ')}\r\n\r\n`)
      .join(''),
  ],
  ['no blank line at the very end', DATA.map(data => `data: ${data}`).join('\n\n')],
  [
    'no [DONE]',
    DATA.slice(0, -1)
      .map(data => `data: ${data}\n\n`)
      .join(''),
  ],
]

describe.each(DIALECTS)('events with %s', (_name, text) => {
  const bytes = Buffer.from(text)
  test.each([
    ['in one piece', [bytes]],
    ['split at every byte', Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1))],
  ])('%s are a complete answer, charged once', async (_split, pieces) => {
    stage.upstream.respond((_request, response) => {
      beginEvents(response)
      for (const piece of pieces) response.write(piece)
      response.end()
    })
    const answer = await stage.call(CHAT_PATH, STREAM)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(eventsOf(answer.text)).toHaveLength(CHUNKS.length)
    expect(readStream(answer.text)).toMatchObject({
      text: 'Hello thére!',
      finishReasons: ['stop'],
      isDone: true,
      error: null,
    })
    expect(await stage.recordOf(answer.requestId)).toMatchObject({
      status: 'succeeded',
      credits: CHARGE,
      usage_source: 'upstream',
    })
  })
})

test('a character whose bytes come apart is whole when it arrives', async () => {
  const text = 'ä€😀'
  const bytes = Buffer.from(chatStream([text]).map(event).join(''))
  stage.upstream.respond(async (_request, response) => {
    beginEvents(response)
    for (const byte of bytes) await flush(response, Buffer.from([byte]))
    response.end()
  })
  expect(readStream((await stage.call(CHAT_PATH, STREAM)).text).text).toBe(text)
})

const MANNERS: readonly [name: string, end: (response: ServerResponse, next: string) => unknown][] = [
  ['the connection is cut', response => response.socket?.destroy()],
  ['the connection is closed in order', response => response.end()],
  [
    'half an event more',
    async (response, next) => {
      await flush(response, next.slice(0, next.length / 2))
      response.socket?.destroy()
    },
  ],
]

describe.each(MANNERS)('%s', (_name, end) => {
  test.each(Array.from({ length: CHUNKS.length + 1 }, (_chunk, sent) => [sent]))(
    'after %i events',
    async sent => {
      stage.upstream.respond(async (_request, response) => {
        beginEvents(response)
        await flush(response, ':\n\n')
        for (const chunk of CHUNKS.slice(0, sent)) await flush(response, event(chunk))
        await end(response, event(CHUNKS[sent] ?? '[DONE]'))
      })
      const answer = await stage.call(CHAT_PATH, STREAM)
      const record = await stage.recordOf(answer.requestId)
      const seen = readStream(answer.text)
      if (sent === 0) {
        expectError(answer, 502, { type: 'upstream_error' })
        expect(record).toMatchObject({ status: 'failed', http_status: 502, credits: 0 })
      } else if (sent <= BEFORE_FINISH) {
        expect(answer.status).toBe(200)
        expect(seen.chunks).toHaveLength(sent)
        expect(seen.finishReasons).toEqual([])
        expect(answer.text).not.toContain('[DONE]')
        expectEnvelope(seen.last ?? '', { type: 'upstream_error' })
        expect(record).toMatchObject({
          status: 'failed',
          http_status: 200,
          credits: 0,
          usage_source: null,
          error: { type: 'upstream_error', code: null },
        })
      } else {
        expect(seen).toMatchObject({
          text: 'Hello thére!',
          finishReasons: ['stop'],
          isDone: true,
          error: null,
        })
        expect(record).toMatchObject({
          status: 'succeeded',
          usage_source: sent > BEFORE_FINISH + 1 ? 'upstream' : 'estimate',
          error: null,
        })
        expect(record.credits).toBeGreaterThan(0)
      }
    },
  )
})

describe('two choices', () => {
  const choice = (index: number, delta: object, reason: string | null = null) => ({
    ...chatChunk(delta, reason),
    choices: [{ index, delta, logprobs: null, finish_reason: reason }],
  })
  const both = [
    choice(0, { role: 'assistant' }),
    choice(1, { role: 'assistant' }),
    choice(0, { content: 'a' }),
    choice(1, { content: 'b' }),
    choice(0, {}, 'stop'),
    choice(1, { content: 'c' }),
    choice(1, {}, 'length'),
  ]

  test.each(both.map((_chunk, index) => [index + 1]))(
    'of which %i interleaved events came are complete only when both are',
    async sent => {
      stage.upstream.respond(async (_request, response) => {
        beginEvents(response)
        for (const chunk of both.slice(0, sent)) await flush(response, event(chunk))
        response.socket?.destroy()
      })
      const answer = await stage.call(CHAT_PATH, { ...STREAM, n: 2 })
      const seen = readStream(answer.text)
      const record = await stage.recordOf(answer.requestId)
      expect(seen.chunks).toHaveLength(sent)
      if (sent === both.length) {
        expect(seen).toMatchObject({ isDone: true, error: null, finishReasons: ['stop', 'length'] })
        expect(record.status).toBe('succeeded')
      } else {
        expect(seen.isDone).toBe(false)
        expect(seen.error).toMatchObject({ type: 'upstream_error', code: null })
        expect(record).toMatchObject({ status: 'failed', credits: 0 })
      }
    },
  )

  test.each([
    ['cut off', false],
    ['ended in order', true],
  ])(
    'of which only one ever came are a whole answer only from a server that chose so: %s',
    async (_how, isWhole) => {
      stage.upstream.respond(async (_request, response) => {
        beginEvents(response)
        for (const chunk of [choice(0, { content: 'a' }), choice(0, {}, 'stop')])
          await flush(response, event(chunk))
        if (isWhole) response.end()
        else response.socket?.destroy()
      })
      const answer = await stage.call(CHAT_PATH, { ...STREAM, n: 2 })
      expect(readStream(answer.text).isDone).toBe(isWhole)
      expect((await stage.recordOf(answer.requestId)).status).toBe(isWhole ? 'succeeded' : 'failed')
    },
  )
})
