/** A Redis Cluster of three servers, each with a third of the slots, and no copy of anything. */
import { Redis } from 'ioredis'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { type RedisServer, startRedisServer } from './redis-server.ts'

const SLOTS = 16_384
const SERVERS = 3

export type RedisCluster = {
  readonly servers: readonly RedisServer[]
  /** What a node is told: not all of them have to be named. */
  readonly url: string
  /** Which of the servers has this key. */
  serverOf(key: string): Promise<RedisServer>
  stop(): Promise<void>
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, () => startRedisServer({ cluster: 'no slots' })),
  )
  const clients = servers.map(({ port }) => new Redis(port, '127.0.0.1', { retryStrategy: () => 100 }))
  for (const client of clients) client.on('error', () => {})
  const [first] = clients
  if (!first) throw new Error('A cluster has servers')
  for (const [index, client] of clients.entries()) {
    const from = Math.floor((index * SLOTS) / SERVERS)
    await client.cluster('ADDSLOTSRANGE', from, Math.floor(((index + 1) * SLOTS) / SERVERS) - 1)
    if (client === first) continue
    const [, busPort = ''] = await client.config('GET', 'cluster-port')
    await first.call('CLUSTER', 'MEET', '127.0.0.1', servers[index]?.port ?? 0, busPort)
  }
  await eventually(async () => {
    for (const client of clients)
      expect(await client.cluster('INFO')).toMatch(/cluster_state:ok.*known_nodes:3/s)
  }, 20_000)
  return {
    servers,
    url: servers
      .map(({ port }) => `redis://127.0.0.1:${port}`)
      .slice(0, 2)
      .join(','),
    serverOf: async key => {
      const slot = await first.cluster('KEYSLOT', key)
      const server = servers[Math.floor(((slot + 1) * SERVERS - 1) / SLOTS)]
      if (!server) throw new Error(`No server has the slot ${slot}`)
      return server
    },
    stop: async () => {
      for (const client of clients) client.disconnect()
      await Promise.all(servers.map(server => server.stop()))
    },
  }
}
