/** What comes over a connection that is no proper HTTP is refused in the envelope, and leaves nothing behind. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCaller } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { openRawClient, sendRaw } from '#test/support/raw-client.ts'
import {
  CHAT,
  CHAT_PATH,
  expectEnvelope,
  MODEL,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { answerWell, beginSse, chatChunk } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

describe('a request', () => {
  const body = JSON.stringify(CHAT)
  const headers = () =>
    `authorization: Bearer ${stage.caller.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`

  test.each([
    ['GET /health HTTP/1.1\r\nconnection: close\r\n\r\n'],
    [`POST ${CHAT_PATH} HTTP/1.1\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}`],
  ])('that names no host is refused like any other: %j', async bytes => {
    const client = await sendRaw(stage.gateway.url, bytes)
    await eventually(() => expect(client.isClosed()).toBe(true))
    const [head = '', text = ''] = client.text().split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 400 /)
    expect(head).toMatch(/^x-request-id: req_[0-9a-z]+$/im)
    expectEnvelope(text, { type: 'invalid_request_error', message: /host/i })
  })

  test.each(['/v1/models', '/health?a=b'])('may name its target in full: %s', async target => {
    const client = await sendRaw(
      stage.gateway.url,
      `GET http://any.host${target} HTTP/1.1\r\nhost: a\r\n\r\n`,
    )
    await eventually(() => expect(client.text()).toMatch(/^HTTP\/1.1 200 /))
  })

  test('of HTTP/1.0 needs none', async () => {
    const client = await sendRaw(stage.gateway.url, 'GET /health HTTP/1.0\r\n\r\n')
    await eventually(() => expect(client.text()).toMatch(/^HTTP\/1.1 200 /))
  })

  test('that expects what nobody knows is answered as if it did not', async () => {
    stage.upstream.respond(answerWell)
    const client = await sendRaw(
      stage.gateway.url,
      `POST ${CHAT_PATH} HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\nconnection: close\r\n${headers()}\r\n${body}`,
    )
    await eventually(() => expect(client.isClosed()).toBe(true))
    expect(client.text()).toMatch(/^HTTP\/1.1 200 /)
  })
})

test('bytes that are no HTTP end the stream before them, and nothing is put into it', async () => {
  stage.upstream.respond((_request, response) => {
    beginSse(response, [chatChunk({ role: 'assistant', content: 'Hello' })])
  })
  const client = await openRawClient(stage.gateway.url, {
    token: stage.caller.token,
    body: JSON.stringify(STREAM),
  })
  await eventually(() => expect(client.text()).toContain('Hello'))
  client.socket.write('GARBAGE\r\n\r\n')
  await eventually(() => expect(stage.upstream.load.now).toBe(0))
  await eventually(() => expect(client.isClosed()).toBe(true))
  expect(client.text()).not.toContain('HTTP/1.1 400')
})

test('a body that breaks off in the middle frees the slot, though its client stays', async () => {
  stage.upstream.respond(answerWell)
  const { token } = await makeCaller(stage.gateway.admin, { limits: { concurrency: 1 } })
  const client = await sendRaw(
    stage.gateway.url,
    `POST ${CHAT_PATH} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n` +
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"mod\r\nzz\r\n',
    { stays: true },
  )
  await eventually(() => expect(client.text()).toMatch(/^HTTP\/1.1 400 /))
  await eventually(async () => {
    const answer = await stage.call(CHAT_PATH, { ...CHAT, model: MODEL }, { token })
    expect(answer.status).toBe(200)
  })
  client.socket.destroy()
})
