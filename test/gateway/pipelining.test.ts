/** Requests that were sent one behind the other on one connection are each noticed to be left. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { openRawClient, rawRequest } from '#test/support/raw-client.ts'
import { STREAM, type Stage, startStage } from '#test/support/stage.ts'
import { beginSse, chatChunk } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

test('a client that leaves cancels the requests that wait behind its first one too', async () => {
  stage.upstream.respond((_request, response) => {
    beginSse(response, [chatChunk({ role: 'assistant', content: 'Hello' })])
  })
  const request = { token: stage.caller.token, body: JSON.stringify(STREAM) }
  const client = await openRawClient(stage.gateway.url, request)
  client.socket.write(rawRequest(request))
  await eventually(() => {
    expect(client.text()).toContain('Hello')
    expect(stage.upstream.requests).toHaveLength(2)
  })
  client.leave('RST')
  await eventually(() => expect(stage.upstream.cancelled).toHaveLength(2))
})
