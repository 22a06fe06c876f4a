/** Redis is memory that may vanish: under load, no request fails because of it, and the books do not notice. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { slotsKey } from '#gateway/admission/redis/keys.ts'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { chat, type Load, startLoad, tallyOf } from '#test/support/load.ts'
import { expectAnswersOnBooks } from '#test/support/node-books.ts'
import { type ServiceNodes, startNodes } from '#test/support/nodes.ts'
import { answerWell, chatReply, sendJson } from '#test/support/upstream.ts'

const NODES = 2
const CLIENTS = 8

let service: ServiceNodes
let caller: NewCaller
beforeAll(async () => {
  service = await startNodes(NODES)
}, 60_000)
afterAll(() => service.close())
beforeEach(async () => {
  service.upstream.respond(answerWell)
  await eventually(() => expectRedis('ok'))
  caller = await makeCaller(service.node(0).admin, { limits: { requests: 1_000_000, concurrency: CLIENTS } })
})

const startLoadOnAll = (): Load =>
  startLoad({ clients: CLIENTS, urlFor: client => service.node(client % NODES).url, token: caller.token })

async function expectRedis(state: 'ok' | 'down'): Promise<void> {
  for (const { url } of service.nodes) {
    const health: unknown = await (await fetch(`${url}/health`)).json()
    expect(health).toMatchObject({
      status: state === 'ok' ? 'ok' : 'degraded',
      stores: { database: 'ok', redis: state },
    })
  }
}

async function withRedis(use: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(service.redis.url, { retryStrategy: () => 100 })
  redis.on('error', () => {})
  await use(redis).finally(() => redis.disconnect())
}

const flush = () => withRedis(redis => redis.flushall())

const linesAbout = (text: string) =>
  service.nodes.map(
    node =>
      node
        .output()
        .split('\n')
        .filter(line => line.includes(text)).length,
  )

describe('under load, no request fails', () => {
  test('when Redis is emptied again and again', async () => {
    const load = startLoadOnAll()
    for (let count = 0; count < 5; count++) {
      await sleep(300)
      await flush()
    }
    await sleep(300)
    const answers = await load.stop()
    // The cap is as high as there are clients: a slot that leaked or was counted twice would refuse one of them.
    expect(tallyOf(answers)).toEqual({ 200: answers.length })
    expect(answers.length).toBeGreaterThan(100)
    await expectAnswersOnBooks(service, caller.accountId, answers)
  })

  test.each(['pause', 'kill'] as const)(
    'when Redis is away for three seconds (%s) and comes back',
    async how => {
      const before = linesAbout('Redis is away')
      const load = startLoadOnAll()
      await sleep(300)
      await service.redis[how]()
      await eventually(() => expectRedis('down'), 2_000)
      await sleep(3_000)
      await (how === 'pause' ? service.redis.resume() : service.redis.restart())
      await eventually(() => expectRedis('ok'))
      await sleep(500)
      const answers = await load.stop()
      expect(tallyOf(answers)).toEqual({ 200: answers.length })
      for (const { ms } of answers) expect(ms).toBeLessThan(2_500)
      expect(answers.length).toBeGreaterThan(100)
      // Once a node, however many requests met it.
      expect(linesAbout('Redis is away')).toEqual(before.map(count => count + 1))
      await expectAnswersOnBooks(service, caller.accountId, answers)
      // What was in flight through all of it is free again.
      const last = await Promise.all(
        Array.from({ length: CLIENTS }, (_, index) => chat(service.node(index % NODES).url, caller.token)),
      )
      expect(tallyOf(last)).toEqual({ 200: CLIENTS })
    },
    40_000,
  )
})

test('requests in flight keep their slots when Redis is emptied, restarted, or away for a while', async () => {
  const other = await makeCaller(service.node(0).admin)
  expect((await chat(service.node(0).url, other.token)).status).toBe(200)
  const held: ServerResponse[] = []
  service.upstream.respond((_request, response) => {
    held.push(response)
  })
  const calls = Array.from({ length: CLIENTS }, (_, index) =>
    chat(service.node(index % NODES).url, caller.token),
  )
  await eventually(() => expect(held).toHaveLength(CLIENTS))
  await expectFull()
  await flush()
  // The first request that meets an empty Redis has all nodes register what they hold.
  service.upstream.respond(answerWell)
  expect((await chat(service.node(0).url, other.token)).status).toBe(200)
  await expectFull(1_000)
  await service.redis.kill()
  await eventually(() => expectRedis('down'), 2_000)
  await service.redis.restart()
  await expectFull(5_000)
  for (const response of held) sendJson(response, chatReply('Hello'))
  expect(tallyOf(await Promise.all(calls))).toEqual({ 200: CLIENTS })
  for (const { url } of service.nodes) expect((await chat(url, caller.token)).status).toBe(200)
}, 30_000)

/** Waits until Redis counts a slot for each request that is held; then no node lets another one in. */
async function expectFull(withinMs = 0): Promise<void> {
  await withRedis(redis =>
    eventually(async () => {
      expect(await redis.zcard(slotsKey(caller.accountId, caller.keyId))).toBe(CLIENTS)
    }, withinMs),
  )
  for (const { url } of service.nodes) expect((await chat(url, caller.token)).status).toBe(429)
}
