import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { makeRedisDatabase, startRedisServer } from '#test/support/redis-server.ts'

test('every caller gets an empty database of its own', async () => {
  const [one, other] = [new Redis(await makeRedisDatabase()), new Redis(await makeRedisDatabase())]
  await one.set('name', 'value')
  expect([await one.dbsize(), await other.dbsize()]).toEqual([1, 0])
  one.disconnect()
  other.disconnect()
})

test('a server can be stopped where it stands, killed and started again', async () => {
  const server = await startRedisServer()
  const redis = new Redis(server.url, { commandTimeout: 200, retryStrategy: () => 50 })
  redis.on('error', () => {})
  try {
    await redis.set('name', 'value')
    await server.pause()
    await expect(redis.get('name')).rejects.toThrow('timed out')
    await server.resume()
    expect(await redis.get('name')).toBe('value')
    await server.kill()
    await server.restart()
    expect(await redis.get('name')).toBeNull()
  } finally {
    redis.disconnect()
    await server.stop()
  }
})
