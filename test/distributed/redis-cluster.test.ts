/** Several nodes over a Redis Cluster, of which each account is on one server. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { balanceKey } from '#gateway/admission/redis/keys.ts'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { chat, startLoad, tallyOf } from '#test/support/load.ts'
import { expectAnswersOnBooks } from '#test/support/node-books.ts'
import { type ServiceNodes, startNodes } from '#test/support/nodes.ts'
import { type RedisCluster, startRedisCluster } from '#test/support/redis-cluster.ts'
import type { RedisServer } from '#test/support/redis-server.ts'
import { answerWell, chatReply, sendJson } from '#test/support/upstream.ts'

const CAP = 4

let cluster: RedisCluster
let service: ServiceNodes
/** One on each server of the cluster. */
const callers = new Map<RedisServer, NewCaller>()
beforeAll(async () => {
  cluster = await startRedisCluster()
  const [first] = cluster.servers
  if (!first) throw new Error('A cluster has servers')
  service = await startNodes(2, { redis: Promise.resolve(first), env: { REDIS_URL: cluster.url } })
  while (callers.size < cluster.servers.length) {
    const caller = await makeCaller(service.node(0).admin, {
      limits: { requests: 1_000_000, concurrency: CAP },
    })
    callers.set(await cluster.serverOf(balanceKey(caller.accountId)), caller)
  }
}, 60_000)
beforeEach(() => service.upstream.respond(answerWell))
afterAll(async () => {
  await service.close()
  await cluster.stop()
})

const url = (index: number) => service.node(index % 2).url

/** Holds as many requests of a caller in flight as it may have, and refuses all others, on both nodes. */
async function expectCap({ token }: NewCaller, duringIt = async () => {}): Promise<void> {
  const held: ServerResponse[] = []
  service.upstream.respond((request, response) => {
    if (held.length === CAP) return answerWell(request, response)
    held.push(response)
  })
  const calls = Array.from({ length: 5 * CAP }, (_, index) => chat(url(index), token))
  let answered = 0
  for (const call of calls) void call.then(() => answered++)
  try {
    await eventually(() => expect(held.length + answered).toBe(calls.length), 10_000)
    expect(held.length).toBe(CAP)
    await duringIt()
    await eventually(async () => {
      for (const index of [0, 1]) expect((await chat(url(index), token)).status).toBe(429)
    }, 5_000)
  } finally {
    for (const response of held) sendJson(response, chatReply('Hello'))
  }
  expect(tallyOf(await Promise.all(calls))).toEqual({ 200: CAP, 429: 4 * CAP })
}

async function expectRedisOnAll(): Promise<void> {
  for (const node of service.nodes) {
    const health: unknown = await (await fetch(`${node.url}/health`)).json()
    expect(health).toMatchObject({ stores: { redis: 'ok' } })
  }
}

test('a cap holds over all nodes for accounts of every server, one that is emptied meanwhile included', async () => {
  await expectRedisOnAll()
  for (const [{ port }, caller] of callers) {
    const redis = new Redis(port, '127.0.0.1')
    await expectCap(caller, async () => {
      await redis.flushall()
      // Whoever asks next finds it out, and all nodes register what they hold.
      await chat(url(0), caller.token)
    })
    redis.disconnect()
  }
})

test('an account has one balance, and what changes is heard on every node', async () => {
  const caller = await makeCaller(service.node(0).admin, { credits: 0.00014 })
  for (const index of [0, 1]) expect((await chat(url(index), caller.token)).status).toBe(200)
  for (const index of [0, 1]) expect((await chat(url(index), caller.token)).status).toBe(429)
  const grant = { amount: 1, kind: 'grant', note: '' }
  await service.node(1).admin.call('POST', `/admin/accounts/${caller.accountId}/credits`, grant)
  for (const index of [0, 1]) expect((await chat(url(index), caller.token)).status).toBe(200)
  await service.node(0).admin.call('DELETE', `/admin/keys/${caller.keyId}`)
  await eventually(async () => expect((await chat(url(1), caller.token)).status).toBe(401), 1_000)
})

test('the catalogue counts one bucket of calls for an address', async () => {
  const calls = Array.from({ length: 100 }, (_, index) => fetch(`${url(index)}/v1/models`))
  const { 200: served = 0 } = tallyOf(await Promise.all(calls))
  expect(served).toBeGreaterThanOrEqual(60)
  expect(served).toBeLessThanOrEqual(68)
})

test('a server that is killed fails no request, whoever has it, and is found again', async () => {
  const [[dying, caller] = [], [, other] = []] = callers
  if (!dying || !caller || !other) throw new Error('There is a caller on each server')
  const loads = [caller, other].map(({ token }) => startLoad({ clients: 2, urlFor: url, token }))
  await sleep(300)
  await dying.kill()
  await sleep(3_000)
  await dying.restart()
  await eventually(expectRedisOnAll, 15_000)
  await sleep(300)
  for (const [index, load] of loads.entries()) {
    const answers = await load.stop()
    expect(tallyOf(answers)).toEqual({ 200: answers.length })
    expect(answers.length).toBeGreaterThan(20)
    for (const { ms } of answers) expect(ms).toBeLessThan(2_500)
    await expectAnswersOnBooks(service, (index === 0 ? caller : other).accountId, answers)
  }
  await eventually(() => expectCap(caller), 10_000)
}, 60_000)
