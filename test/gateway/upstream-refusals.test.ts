/** Whatever an upstream refuses and however it says so: one error of the contract, no charge, and no secret of ours. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CHAT,
  CHAT_PATH,
  EMBEDDINGS,
  readStream,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { answerWell, beginSse, chatChunk, sendJson } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.respond(answerWell))

const BODIES: readonly [name: string, path: string, body: object][] = [
  ['a plain call', CHAT_PATH, CHAT],
  ['a stream', CHAT_PATH, STREAM],
  ['embeddings', '/v1/embeddings', EMBEDDINGS],
]

type Refusal = readonly [upstreamStatus: number, status: number, type: string, code: string | null]

const REFUSALS: readonly Refusal[] = [
  [400, 400, 'invalid_request_error', 'their_code'],
  [404, 404, 'invalid_request_error', 'their_code'],
  [413, 413, 'invalid_request_error', 'their_code'],
  [422, 422, 'invalid_request_error', 'their_code'],
  [401, 502, 'upstream_error', null],
  [403, 502, 'upstream_error', null],
  [429, 429, 'upstream_rate_limited', 'upstream_rate_limited'],
  [500, 502, 'upstream_error', null],
  [502, 502, 'upstream_error', null],
  [503, 502, 'upstream_error', null],
  [529, 502, 'upstream_error', null],
]

describe.each(BODIES)('%s', (_name, path, body) => {
  test.each(REFUSALS)(
    'that the upstream answers with %i is %i',
    async (upstreamStatus, status, type, code) => {
      const message = 'max_tokens is too large: 5000'
      stage.upstream.respond((_request, response) =>
        sendJson(
          response,
          { error: { message, type: 'their_type', param: 'max_tokens', code: 'their_code' } },
          upstreamStatus,
        ),
      )
      const answer = await stage.call(path, body)
      await stage.expectFreeError(answer, status, {
        type,
        code,
        ...(type === 'invalid_request_error' ? { message } : {}),
      })
    },
  )

  test.each([
    ['no JSON at all', 'Bad Request'],
    ['a page', '<html><body>Bad Request</body></html>'],
    ['nothing', ''],
  ])('that the upstream refuses with %s is refused in our envelope', async (_what, text) => {
    stage.upstream.respond((_request, response) => response.writeHead(400).end(text))
    await stage.expectFreeError(await stage.call(path, body), 400, { type: 'invalid_request_error' })
  })

  test.each([301, 302, 303, 307, 308])('is not sent after a redirect (%i)', async status => {
    let followed = 0
    const elsewhere = createServer((_request, response) => {
      followed++
      response.end('{}')
    })
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
    const { port } = elsewhere.address() as AddressInfo // a server that listens on a port has one
    stage.upstream.respond((_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end(),
    )
    const answer = await stage.call(path, body)
    elsewhere.close()
    await stage.expectFreeError(answer, 502, { type: 'upstream_error' })
    expect(answer.headers.get('location')).toBeNull()
    expect(followed).toBe(0)
  })

  test.each([
    ['an error object', { error: { message: 'it broke', type: 'server_error', code: null } }],
    ['an error as text', { error: 'it broke' }],
  ])('that is answered 200 with %s inside has failed', async (_what, answered) => {
    stage.upstream.respond((_request, response) => sendJson(response, answered))
    await stage.expectFreeError(await stage.call(path, body), 502, { type: 'upstream_error' })
  })
})

describe('our own credential', () => {
  test.each([400, 401, 403, 500])('never shows, though the upstream repeats it in a %i', async status => {
    const credential = 'sk-upstream-0'
    stage.upstream.respond(({ headers }, response) => {
      expect(headers.authorization).toBe(`Bearer ${credential}`)
      sendJson(
        response,
        { error: { message: `Incorrect API key provided: ${credential}`, code: `no ${credential}` } },
        status,
      )
    })
    const answer = await stage.call(CHAT_PATH, CHAT)
    expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(credential)
  })

  test('never shows, though the upstream repeats it within a stream', async () => {
    stage.upstream.respond((_request, response) => {
      beginSse(response, [
        chatChunk({ content: 'a' }),
        { error: { message: 'bad key sk-upstream-0', code: 400 } },
      ])
      response.end()
    })
    const answer = await stage.call(CHAT_PATH, STREAM)
    expect(readStream(answer.text).error).toMatchObject({ message: expect.any(String) })
    expect(answer.text).not.toContain('sk-upstream-0')
  })
})

describe('when the upstream throttles', () => {
  test.each([
    ['seconds', { 'retry-after': '7' }, /^7$/],
    ['seconds with a fraction', { 'retry-after': '6.2' }, /^7$/],
    ['a date', { 'retry-after': new Date(Date.now() + 600_000).toUTCString() }, /^(5\d\d|600)$/],
    ['milliseconds', { 'retry-after-ms': '1200' }, /^2$/],
    ['milliseconds beside seconds', { 'retry-after-ms': '1200', 'retry-after': '3' }, /^[23]$/],
  ])('its Retry-After in %s is handed on in whole seconds', async (_name, headers, expected) => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, { error: { message: 'slow down' } }, 429, headers),
    )
    const answer = await stage.call(CHAT_PATH, CHAT)
    await stage.expectFreeError(answer, 429, { type: 'upstream_rate_limited', code: 'upstream_rate_limited' })
    expect(answer.headers.get('retry-after')).toMatch(expected)
  })

  test('without a Retry-After, none is made up', async () => {
    stage.upstream.respond((_request, response) =>
      sendJson(response, { error: { message: 'slow down' } }, 429),
    )
    expect((await stage.call(CHAT_PATH, CHAT)).headers.get('retry-after')).toBeNull()
  })
})
