/** Nodes are killed and replaced under load: nothing is lost, nothing doubled, and nobody notices a rolling restart. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import { startBalancer } from '#test/support/balancer.ts'
import { eventually } from '#test/support/eventually.ts'
import { chat, startLoad, tallyOf } from '#test/support/load.ts'
import { expectAnswersOnBooks } from '#test/support/node-books.ts'
import { CHAT, type ServiceNodes, startNodes } from '#test/support/nodes.ts'
import { answerWell, beginSse, chatChunk } from '#test/support/upstream.ts'

const LIMITS = { requests: 1_000_000, concurrency: 1_000 }

let service: ServiceNodes
let caller: NewCaller
beforeAll(async () => {
  service = await startNodes(2)
}, 60_000)
afterAll(() => service.close())
beforeEach(async () => {
  service.upstream.respond(async (request, response) => {
    await sleep(Math.random() * 20)
    return answerWell(request, response)
  })
  caller = await makeCaller(service.node(0).admin, { limits: LIMITS })
})

test('kill -9 of a node under load loses and doubles nothing, and the others go on', async () => {
  const killed = service.node(1)
  const survivor = service.node(0)
  const urls = [survivor.url, killed.url]
  const load = startLoad({ clients: 12, urlFor: client => urls[client % 2] ?? '', token: caller.token })
  await sleep(1_000)
  await service.end(killed, 'SIGKILL')
  await sleep(500)
  await service.start(killed.dataDir)
  await sleep(200)
  const answers = await load.stop()
  expect(Object.keys(tallyOf(answers)).sort()).toEqual(['0', '200'])
  expect(tallyOf(answers)[200]).toBeGreaterThan(50)
  await expectAnswersOnBooks(service, caller.accountId, answers)
}, 40_000)

test('the slots of a node that was killed are free within fifteen seconds', async () => {
  const cap = 4
  const streaming = await makeCaller(service.node(0).admin, { limits: { concurrency: cap } })
  const dying = await service.start()
  const held: ServerResponse[] = []
  service.upstream.respond((_request, response) => {
    held.push(response)
    beginSse(response, [chatChunk({ content: 'Hello' })])
  })
  const streams = Array.from({ length: cap }, () =>
    chat(dying.url, streaming.token, { ...CHAT, stream: true }).catch(() => null),
  )
  await eventually(() => expect(held).toHaveLength(cap))
  expect((await chat(service.node(0).url, streaming.token)).status).toBe(429)
  service.upstream.respond(answerWell)
  const killedMs = performance.now()
  await service.end(dying, 'SIGKILL')
  await Promise.all(streams)
  await eventually(async () => {
    const answers = Array.from({ length: cap }, (_, index) =>
      chat(service.node(index % 2).url, streaming.token),
    )
    expect(tallyOf(await Promise.all(answers))).toEqual({ 200: cap })
  }, 16_000)
  expect(performance.now() - killedMs).toBeLessThan(15_000)
}, 60_000)

test('a rolling restart loses no request', async () => {
  const balancer = await startBalancer(() => service.nodes.map(({ url }) => url))
  try {
    const load = startLoad({ clients: 8, urlFor: () => balancer.url, token: caller.token })
    await sleep(500)
    for (const node of [...service.nodes]) {
      // One more comes before one goes.
      await service.start()
      await sleep(300)
      expect(await service.end(node, 'SIGTERM')).toBe(0)
    }
    await sleep(500)
    const answers = await load.stop()
    expect(tallyOf(answers)).toEqual({ 200: answers.length })
    expect(answers.length).toBeGreaterThan(100)
    await expectAnswersOnBooks(service, caller.accountId, answers)
  } finally {
    await balancer.close()
  }
}, 60_000)
