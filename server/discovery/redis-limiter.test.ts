import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#lib/clock.ts'
import { parseRedisUrl } from '#redis/address.ts'
import { openRedisLink, type RedisLink } from '#redis/link.ts'
import { silentLog } from '#telemetry/log.ts'
import { eventually } from '#test/support/eventually.ts'
import { type RedisServer, startRedisServer } from '#test/support/redis-server.ts'
import { createMemoryLimiter } from './limiter.ts'
import { createRedisLimiter } from './redis-limiter.ts'

let server: RedisServer
const links: RedisLink[] = []
beforeAll(async () => {
  server = await startRedisServer()
})
afterAll(async () => {
  for (const link of links) link.close()
  await server.stop()
})

async function openNode(serverNow?: () => number) {
  const address = parseRedisUrl(server.url)
  if (!address) throw new Error('No address')
  const link = await openRedisLink({ address, clock: systemClock, log: silentLog })
  links.push(link)
  const alone = createMemoryLimiter({ clock: systemClock })
  return { link, limiter: createRedisLimiter({ link, alone, serverNow }) }
}

describe('the discovery limiter of all nodes', () => {
  test('lets 60 calls of a burst over two nodes through, and tells the rest how long to wait', async () => {
    const [one, two] = [await openNode(), await openNode()]
    const takes = Array.from({ length: 100 }, (_, call) => (call % 2 ? one : two).limiter.take('a'))
    const decisions = await Promise.all(takes)
    const refused = decisions.filter(decision => !decision.allowed)
    // The bucket may have recovered a call while it was being emptied.
    expect(refused.length).toBeGreaterThanOrEqual(38)
    expect(refused.length).toBeLessThanOrEqual(40)
    for (const decision of refused) expect(decision).toEqual({ allowed: false, retryAfterSeconds: 1 })
    expect(await one.limiter.take('b')).toEqual({ allowed: true })
  })

  test('decides as the one in memory does, whenever calls come', async () => {
    let nowMs = 1_700_000_000_000
    const { limiter } = await openNode(() => nowMs)
    let callers = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3_000 }), { maxLength: 150 }), async gaps => {
        const memory = createMemoryLimiter({ clock: { monotonicMs: () => nowMs } })
        const address = `caller ${++callers}`
        for (const gap of gaps) {
          nowMs += gap % 5 === 0 ? gap : 0
          expect(await limiter.take(address)).toEqual(memory.take(address))
        }
      }),
      { numRuns: 30 },
    )
  })

  test('goes on alone while Redis is away', async () => {
    const { limiter, link } = await openNode()
    await server.kill()
    await eventually(() => expect(link.isUp()).toBe(false))
    for (let call = 0; call < 60; call++) expect(await limiter.take('c')).toEqual({ allowed: true })
    expect(await limiter.take('c')).toMatchObject({ allowed: false })
    await server.restart()
    await eventually(() => expect(link.isUp()).toBe(true))
    expect(await limiter.take('c')).toEqual({ allowed: true })
  })
})
