/** Postgres stops and comes back under load: refusals are 503 and prompt, and the books are right afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller, type NewCaller } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { chat, startLoad, tallyOf } from '#test/support/load.ts'
import { expectAnswersOnBooks } from '#test/support/node-books.ts'
import { type ServiceNodes, startNodes } from '#test/support/nodes.ts'

const NODES = 2

let service: ServiceNodes
let caller: NewCaller
beforeAll(async () => {
  service = await startNodes(NODES)
  caller = await makeCaller(service.node(0).admin, { limits: { requests: 1_000_000, concurrency: 1_000 } })
}, 60_000)
afterAll(() => service.close())

test.each(['pause', 'kill'] as const)(
  'two nodes without Postgres for five seconds (%s)',
  async how => {
    const load = startLoad({
      clients: 8,
      urlFor: client => service.node(client % NODES).url,
      token: caller.token,
    })
    await sleep(500)
    await service.postgres[how]()
    await sleep(5_000)
    for (const { url } of service.nodes) {
      const health = await fetch(`${url}/health`)
      expect(health.status).toBe(200)
      expect(await health.json()).toMatchObject({
        status: 'degraded',
        stores: { database: 'down', redis: 'ok' },
      })
    }
    await (how === 'pause' ? service.postgres.resume() : service.postgres.restart())
    await eventually(async () => {
      for (const { url } of service.nodes) expect((await chat(url, caller.token)).status).toBe(200)
    }, 10_000)
    await sleep(500)
    const answers = await load.stop()
    expect(Object.keys(tallyOf(answers)).sort()).toEqual(['200', '503'])
    for (const { ms } of answers) expect(ms).toBeLessThan(8_000)
    await expectAnswersOnBooks(service, caller.accountId, answers)
  },
  60_000,
)
