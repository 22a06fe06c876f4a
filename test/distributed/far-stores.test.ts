/** Stores that are far away. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#test/support/admin-client.ts'
import { chat } from '#test/support/load.ts'
import { type ServiceNodes, startNodes } from '#test/support/nodes.ts'
import { openSlowLine, type SlowLine } from '#test/support/slow-line.ts'

let service: ServiceNodes
let line: SlowLine
/** Its Redis hears late of what it says. */
let far: string
let near: string
beforeAll(async () => {
  service = await startNodes(1)
  line = await openSlowLine(service.redis.port)
  await service.start(undefined, { REDIS_URL: `redis://127.0.0.1:${line.port}` })
  near = service.node(0).url
  far = service.node(1).url
}, 60_000)
afterEach(() => {
  line.delayMs = 0
})
afterAll(async () => {
  await service.close()
  await line.close()
})

test('what an answer tells of a balance is so on every node, however late Redis hears of it', async () => {
  const caller = await makeCaller(service.node(0).admin, { credits: 0.00014 })
  // Two requests' worth.
  expect((await chat(far, caller.token)).status).toBe(200)
  line.delayMs = 150
  expect((await chat(far, caller.token)).status).toBe(200)
  expect((await chat(near, caller.token)).status).toBe(429)
  const grant = { amount: 1, kind: 'grant', note: '' }
  await service.node(1).admin.call('POST', `/admin/accounts/${caller.accountId}/credits`, grant)
  expect((await chat(near, caller.token)).status).toBe(200)
})

test('whoever holds an answer has its slot back on every node, however late Redis hears of it', async () => {
  const caller = await makeCaller(service.node(0).admin, { limits: { concurrency: 1 } })
  line.delayMs = 150
  for (const url of [far, near, far, near]) expect((await chat(url, caller.token)).status).toBe(200)
})
