/** The three controls are those of one service, whichever node a request comes to. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeCaller } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { type Answered, chat, tallyOf } from '#test/support/load.ts'
import { type ServiceNodes, startNodes } from '#test/support/nodes.ts'
import { answerWell, chatReply, sendJson } from '#test/support/upstream.ts'

let service: ServiceNodes
beforeAll(async () => {
  service = await startNodes(3)
}, 60_000)
afterAll(() => service.close())
beforeEach(() => {
  service.upstream.respond(answerWell)
  service.upstream.load.peak = 0
})

/** So many requests at once, spread over all nodes. */
const spread = (count: number, token: string) =>
  Array.from({ length: count }, (_, index) => chat(service.node(index % 3).url, token))

test.each([1, 5, 16])(
  'a cap of %i lets exactly that many of ten times as many reach the upstream',
  async cap => {
    const caller = await makeCaller(service.node(0).admin, { limits: { concurrency: cap } })
    const held: ServerResponse[] = []
    service.upstream.respond((_request, response) => {
      held.push(response)
    })
    const calls = spread(cap * 10, caller.token)
    const refused: Answered[] = []
    for (const call of calls) void call.then(answer => answer.status === 429 && refused.push(answer))
    await eventually(() => expect([held.length, refused.length]).toEqual([cap, cap * 9]), 10_000)
    for (const { text } of refused) expect(JSON.parse(text).error.code).toBe('concurrency_limit')
    for (const response of held) sendJson(response, chatReply('Hello'))
    expect(tallyOf(await Promise.all(calls))).toEqual({ 200: cap, 429: cap * 9 })
    expect(service.upstream.load.peak).toBe(cap)
    service.upstream.respond(answerWell)
  },
)

test('whoever holds an answer has its slot back, on every node', async () => {
  const caller = await makeCaller(service.node(0).admin, { limits: { concurrency: 1 } })
  for (let index = 0; index < 40; index++) {
    expect((await chat(service.node(index % 3).url, caller.token)).status).toBe(200)
  }
})

test('a rate limit is exact at the edge of a window', async () => {
  const limit = 24
  const windowMs = 3_000
  const caller = await makeCaller(service.node(1).admin, {
    limits: { requests: limit, window_seconds: windowMs / 1000, concurrency: 1_000 },
  })
  const arrivals: number[] = []
  service.upstream.respond((request, response) => {
    arrivals.push(performance.now())
    return answerWell(request, response)
  })
  const begunMs = performance.now()
  // The limit, and again after each of three windows; each frees all of its places a sixtieth late at most.
  while (arrivals.length < 4 * limit && performance.now() - begunMs < 3 * windowMs * (61 / 60) + 2_000) {
    await Promise.all(spread(12, caller.token))
    await sleep(20)
  }
  expect(arrivals.length).toBe(4 * limit)
  // A request comes to the upstream some time after it was let in: by so much two may seem closer than they were.
  const delayMs = 600
  for (const [index, at] of arrivals.entries()) {
    const within = arrivals.slice(index).filter(other => other < at + windowMs - delayMs)
    expect(within.length).toBeLessThanOrEqual(limit)
  }
})

test('an account has one balance: spent everywhere at once, and lifted everywhere at once', async () => {
  const caller = await makeCaller(service.node(2).admin, { credits: 0.0007 })
  const path = `/admin/accounts/${caller.accountId}/credits`
  for (let round = 0; round < 8; round++) {
    // Ten requests' worth, at 0.00007 each.
    for (let index = round; index < round + 10; index++) {
      expect((await chat(service.node(index % 3).url, caller.token)).status).toBe(200)
    }
    for (const answer of await Promise.all(spread(9, caller.token))) {
      expect(answer.status).toBe(429)
      expect(JSON.parse(answer.text).error.message).toBe('AI credit quota exhausted')
    }
    const grant = { amount: 0.0007, kind: 'grant', note: '' }
    await service.node(round % 3).admin.call('POST', path, grant)
  }
})

test('the catalogue counts one bucket of calls for an address on all nodes', async () => {
  const calls = Array.from({ length: 120 }, (_, index) => fetch(`${service.node(index % 3).url}/v1/models`))
  const { 200: served = 0, 429: refused = 0 } = tallyOf(await Promise.all(calls))
  expect(served + refused).toBe(120)
  expect(served).toBeGreaterThanOrEqual(60)
  // It recovers a call a second while it is being emptied.
  expect(served).toBeLessThanOrEqual(68)
})

test("a key's spending cap is one, whichever node charges", async () => {
  const caller = await makeCaller(service.node(0).admin, { limits: { requests: 10_000 } })
  await service.node(0).admin.call('PATCH', `/admin/keys/${caller.keyId}`, {
    spending_cap: { credits: 0.00063, period: 'month' },
  })
  // Nine requests' worth, at 0.00007 each; every node has heard of each of them before the next.
  for (let index = 0; index < 9; index++) {
    expect((await chat(service.node(index % 3).url, caller.token)).status).toBe(200)
  }
  await eventually(async () => {
    for (const answer of await Promise.all(spread(3, caller.token))) {
      expect(answer.status).toBe(429)
      expect(JSON.parse(answer.text).error.code).toBe('key_spending_cap')
    }
  }, 1_000)
})
