/** The record of a request tells how its routes fared, where more is to be told than that the first one answered. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RequestRecord } from '#domains/usage/request-record.ts'
import { makeModel, type NewRoute } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { CHAT, CHAT_PATH, type Stage, startStage } from '#test/support/stage.ts'
import {
  answerWell,
  beginSse,
  chatChunk,
  failWith,
  startUpstream,
  type Upstream,
} from '#test/support/upstream.ts'

let stage: Stage
let first: Upstream
let second: Upstream
let made = 0
let model: string

beforeAll(async () => {
  stage = await startStage()
  first = await startUpstream()
  second = await startUpstream()
})
afterAll(async () => {
  await stage.close()
  await first.close()
  await second.close()
})
beforeEach(async () => {
  first.respond(answerWell)
  second.respond(answerWell)
  model = await modelOver()
})

async function modelOver(change: Partial<NewRoute> = {}): Promise<string> {
  const id = `told-${++made}`
  const routes = [{ baseUrl: first.baseUrl, ...change }, { baseUrl: second.baseUrl }]
  await makeModel(stage.gateway.admin, id, { routes })
  return id
}

const attempt = (index: number, outcome: string, status: number | null) => ({
  provider: `${model} upstream ${index}`,
  upstream_model: 'upstream-model',
  outcome,
  http_status: status,
  duration_ms: expect.any(Number),
})

const attemptsOf = async (requestId: string) => (await stage.recordOf(requestId)).attempts

test('nothing is told where the first route answered', async () => {
  const { requestId } = await stage.call(CHAT_PATH, { ...CHAT, model })
  expect(await attemptsOf(requestId)).toEqual([])
})

test.each([
  [500, 'failed'],
  [401, 'failed'],
  [404, 'refused'],
  [429, 'throttled'],
  [504, 'timed_out'],
])('an attempt that ended with %i is told as %s, before the one that answered', async (status, outcome) => {
  first.respond(failWith(status))
  const { requestId } = await stage.call(CHAT_PATH, { ...CHAT, model })
  const told = [attempt(0, outcome, status), attempt(1, 'answered', 200)]
  expect(await attemptsOf(requestId)).toEqual(told)
  const detail = await stage.gateway.admin.call<RequestRecord>('GET', `/admin/requests/${requestId}`)
  expect(detail.attempts).toEqual(told)
})

test('a connection that broke has no status', async () => {
  first.respond((_request, response) => response.socket?.destroy())
  const { requestId } = await stage.call(CHAT_PATH, { ...CHAT, model })
  expect(await attemptsOf(requestId)).toEqual([attempt(0, 'failed', null), attempt(1, 'answered', 200)])
})

test('one refusal is told as well, though it is all there is', async () => {
  first.respond(failWith(400))
  const { requestId } = await stage.call(CHAT_PATH, { ...CHAT, model })
  expect(await attemptsOf(requestId)).toEqual([attempt(0, 'refused', 400)])
})

test('a stream of the second route that broke off is told as such', async () => {
  first.respond(failWith(500))
  second.respond((_request, response) => {
    beginSse(response, [chatChunk({ content: 'Hel' })])
    response.write(':\n\n', () => response.socket?.destroy())
  })
  const { requestId } = await stage.call(CHAT_PATH, { ...CHAT, model, stream: true })
  expect(await attemptsOf(requestId)).toEqual([attempt(0, 'failed', 500), attempt(1, 'broke_off', 200)])
})

test('a client that left during the second attempt', async () => {
  first.respond(failWith(500))
  const asked = Promise.withResolvers<void>()
  second.respond(() => asked.resolve())
  const leaving = new AbortController()
  const call = stage.open(CHAT_PATH, { ...CHAT, model }, { signal: leaving.signal }).catch(() => {})
  await asked.promise
  leaving.abort()
  await call
  await eventually(async () => {
    const { data } = await stage.gateway.admin.call<{ data: RequestRecord[] }>(
      'GET',
      `/admin/requests?model=${model}&limit=1`,
    )
    expect(data[0]?.attempts).toEqual([attempt(0, 'failed', 500), attempt(1, 'client_left', null)])
  })
})

test('an upstream that can not be told what the request says was not asked, and nothing is held against it', async () => {
  model = await modelOver({ kind: 'anthropic' })
  const { requestId, status } = await stage.call(CHAT_PATH, { ...CHAT, model, n: 2 })
  expect(status).toBe(200)
  expect(await attemptsOf(requestId)).toEqual([
    attempt(0, 'not_carried_over', null),
    attempt(1, 'answered', 200),
  ])
  second.respond(failWith(429))
  const failed = await stage.call(CHAT_PATH, { ...CHAT, model, n: 2 })
  // What the one upstream can't be told says less than that the other is busy.
  expect(failed.status).toBe(429)
})
