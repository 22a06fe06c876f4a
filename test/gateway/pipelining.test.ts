/** Requests that were sent one behind the other on one connection are each noticed to be left. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RequestRecord } from '#domains/usage/request-record.ts'
import { eventually } from '#test/support/eventually.ts'
import { openRawClient, rawRequest } from '#test/support/raw-client.ts'
import { STREAM, type Stage, startStage } from '#test/support/stage.ts'
import { beginSse, chatChunk } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.close())

test('a client that leaves cancels the requests that wait behind its first one too, and pays for what reached it', async () => {
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
  // What the second stream says has come as far as the gateway, and waits there.
  await sleep(100)
  client.leave('RST')
  await eventually(() => expect(stage.upstream.cancelled).toHaveLength(2))
  await eventually(async () => {
    const { data } = await stage.gateway.admin.call<{ data: RequestRecord[] }>('GET', '/admin/requests')
    expect(data.map(({ status, credits }) => `${status} ${credits > 0}`).sort()).toEqual([
      'cancelled false',
      'cancelled true',
    ])
  })
})
