import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe } from 'vitest'
import { testEngine } from '#gateway/admission/engine-suite.ts'
import { makeRedisDatabase, type RedisServer, startRedisServer } from '#test/support/redis-server.ts'
import { openAdmissionNode } from './admission-node.fixture.ts'
import { RENEW_EVERY_MS } from './scripts.ts'

function testOver(makeUrl: () => Promise<string>, runs: number): void {
  testEngine({
    runs,
    open: async () => {
      let nowMs = 1_700_000_000_000
      const now = () => nowMs
      const node = await openAdmissionNode({
        url: await makeUrl(),
        clock: { monotonicMs: now },
        serverNow: now,
      })
      return {
        engine: node.engine,
        close: node.close,
        pass: async ms => {
          for (let leftMs = ms; leftMs > 0; leftMs -= RENEW_EVERY_MS) {
            nowMs += Math.min(leftMs, RENEW_EVERY_MS)
            await node.engine.renewLeases()
          }
        },
      }
    },
  })
}

describe('over one Redis server', () => {
  testOver(makeRedisDatabase, 30)
})

describe('over a Redis Cluster', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedisServer({ cluster: 'all slots' })
  })
  afterAll(() => server.stop())
  testOver(async () => {
    const redis = new Redis(server.port)
    await redis.flushall()
    redis.disconnect()
    return server.url
  }, 5)
})
