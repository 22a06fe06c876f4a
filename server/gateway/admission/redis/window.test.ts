/** The window that the script keeps is the one of the engine in memory, whatever comes when. */
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '#domains/keys/caller.ts'
import { createMemoryAdmission } from '#gateway/admission/memory-engine.ts'
import { makeRedisDatabase } from '#test/support/redis-server.ts'
import { type AdmissionNode, openAdmissionNode } from './admission-node.fixture.ts'
import { windowKey } from './keys.ts'

let nowMs = 1_700_000_000_000
const clock = { monotonicMs: () => nowMs }
let node: AdmissionNode
let redis: Redis
beforeAll(async () => {
  const url = await makeRedisDatabase()
  redis = new Redis(url)
  node = await openAdmissionNode({ url, clock, serverNow: () => nowMs })
})
afterAll(async () => {
  await node.close()
  redis.disconnect()
})

let keys = 0
function caller(requests: number, windowSeconds: number, keyId: string): Caller {
  const limits = { requests, windowSeconds, concurrency: 1 }
  return {
    keyId,
    accountId: 'acc_1',
    userId: 'usr_1',
    expiresAt: null,
    models: null,
    spendingCap: null,
    limits,
  }
}

/** The same question asked so many times in one turn of the event loop. */
function together(asking: Caller, times: number) {
  return Promise.all(Array.from({ length: times }, () => node.engine.admit(asking, 'rate')))
}

const gap = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.nat(2_000) },
  { weight: 2, arbitrary: fc.nat(100_000) },
)

test('it admits and refuses the same requests and tells the same of them, with limits that change on the way', async () => {
  const step = fc.record({
    gap,
    times: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 15 })),
    change: fc.option(
      fc.record({ limit: fc.integer({ min: 1, max: 12 }), seconds: fc.integer({ min: 7, max: 61 }) }),
      { freq: 20 },
    ),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 150 }), async steps => {
      const memory = createMemoryAdmission({ clock })
      const keyId = `key_${++keys}`
      let limits = { limit: 5, seconds: 10 }
      for (const { gap, times, change } of steps) {
        nowMs += gap
        if (change) limits = change
        const asking = caller(limits.limit, limits.seconds, keyId)
        const decisions = Array.from({ length: times }, () => memory.admit(asking, 'rate'))
        expect(await together(asking, times)).toEqual(decisions)
      }
      memory.close()
    }),
    { numRuns: 60 },
  )
})

test('requests of one key that come together are decided over in one call', async () => {
  const calls = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1])
  const asking = caller(4, 10, 'key_together')
  await node.engine.admit(asking, 'rate')
  const before = await calls()
  const decisions = await together(asking, 9)
  expect((await calls()) - before).toBe(1)
  expect(decisions.map(({ kind }) => kind)).toEqual([
    ...Array.from({ length: 3 }, () => 'admitted'),
    ...Array.from({ length: 6 }, () => 'rate-limited'),
  ])
})

test('what it keeps of a key is small, however large the limit, and gone when the window is', async () => {
  const asking = caller(1_000_000, 1, 'key_busy')
  for (let count = 0; count < 500; count++) {
    nowMs += 7
    await node.engine.admit(asking, 'rate')
  }
  const key = windowKey('acc_1', 'key_busy')
  expect(await redis.hlen(key)).toBeLessThanOrEqual(61)
  expect(await redis.memory('USAGE', key)).toBeLessThan(1_500)
  expect(await redis.pttl(key)).toBeLessThanOrEqual(1_017)
  expect(await redis.pttl(key)).toBeGreaterThan(0)
})

test('a clock of the server that is set back does not lock a key out', async () => {
  const asking = caller(2, 10, 'key_back')
  for (let count = 0; count < 3; count++) await node.engine.admit(asking, 'rate')
  nowMs -= 3_600_000
  expect(await node.engine.admit(asking, 'rate')).toMatchObject({ kind: 'admitted' })
})
