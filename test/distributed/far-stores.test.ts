/** Stores that are far away, and reached over lines that others share: over TLS, by a name and a password. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#test/support/admin-client.ts'
import { eventually } from '#test/support/eventually.ts'
import { spawnGateway } from '#test/support/gateway.ts'
import { chat, startLoad, tallyOf } from '#test/support/load.ts'
import { expectAnswersOnBooks } from '#test/support/node-books.ts'
import { type ServiceNodes, startNodes } from '#test/support/nodes.ts'
import { query, startPostgresServer } from '#test/support/postgres-server.ts'
import { startRedisServer } from '#test/support/redis-server.ts'
import { openSlowLine, type SlowLine } from '#test/support/slow-line.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { writeIdentity } from '#test/support/tls-identity.ts'

let service: ServiceNodes
let line: SlowLine
/** Its Redis hears late of what it says. */
let far: string
let near: string
beforeAll(async () => {
  const folder = await makeTemporaryFolder()
  const { authority } = await writeIdentity(folder.path)
  service = await startNodes(1, {
    postgres: startPostgresServer({ isSecured: true }),
    redis: startRedisServer({ isSecured: true }),
    env: { NODE_EXTRA_CA_CERTS: authority },
  })
  line = await openSlowLine(service.redis.port)
  const url = service.redis.url.replace(String(service.redis.port), String(line.port))
  await service.start(undefined, { REDIS_URL: url })
  await folder.remove()
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

test('a node is there when both are', async () => {
  for (const url of [near, far]) {
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({
      status: 'ok',
      stores: { database: 'ok', redis: 'ok' },
    })
  }
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

test('connections to Postgres that are cut again and again, and a silence, cost no answer its place on the books', async () => {
  const caller = await makeCaller(service.node(0).admin, {
    limits: { requests: 1_000_000, concurrency: 100 },
  })
  const load = startLoad({ clients: 6, urlFor: client => (client % 2 ? far : near), token: caller.token })
  for (let count = 0; count < 5; count++) {
    await sleep(200)
    await query(
      service.postgres.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'goldweight%'`,
    )
  }
  await sleep(200)
  await service.postgres.pause()
  await sleep(3_000)
  await service.postgres.resume()
  await eventually(async () => {
    for (const url of [near, far]) expect((await chat(url, caller.token)).status).toBe(200)
  }, 10_000)
  const answers = await load.stop()
  expect(Object.keys(tallyOf(answers)).sort()).toEqual(['200', '503'])
  expect(tallyOf(answers)[200]).toBeGreaterThan(50)
  for (const { ms } of answers) expect(ms).toBeLessThan(8_000)
  await expectAnswersOnBooks(service, caller.accountId, answers)
})

test('Redis is found again after a silence', async () => {
  const state = async () => (await fetch(`${near}/health`)).json()
  await service.redis.pause()
  await eventually(async () => expect(await state()).toMatchObject({ stores: { redis: 'down' } }), 3_000)
  await service.redis.resume()
  await eventually(async () => expect(await state()).toMatchObject({ stores: { redis: 'ok' } }), 5_000)
})

test('a node does not start on a Postgres that nobody vouches for, and says why', async () => {
  const plain = service.postgres.url.replace(/\?.*/, '')
  const folder = await makeTemporaryFolder()
  const start = (url: string) =>
    spawnGateway(folder.path, { ...service.env, DATABASE_URL: url, NODE_EXTRA_CA_CERTS: '' })
  await expect(start(`${plain}?sslmode=verify-full`)).rejects.toThrow(/certificate/)
  await expect(start(plain)).rejects.toThrow(/no encryption/)
  await folder.remove()
})
