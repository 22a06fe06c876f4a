import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#lib/clock.ts'
import { createLog } from '#telemetry/log.ts'
import { eventually } from '#test/support/eventually.ts'
import { type RedisServer, startRedisServer } from '#test/support/redis-server.ts'
import { parseRedisUrl, type RedisAddress } from './address.ts'
import { openRedisLink, RedisAway, type RedisLink } from './link.ts'

let server: RedisServer
let link: RedisLink
let lines: string[]

function addressOf(url: string): RedisAddress {
  const address = parseRedisUrl(url)
  if (!address) throw new Error(`No address: ${url}`)
  return address
}

async function openLink(url = server.url): Promise<RedisLink> {
  lines = []
  const log = createLog('info', { write: line => void lines.push(line) })
  link = await openRedisLink({ address: addressOf(url), clock: systemClock, log })
  return link
}

const echo = () => link.ask(client => client.echo('hello'))
const warnings = () => lines.filter(line => line.includes('Redis is away'))

describe('the link', () => {
  beforeEach(async () => {
    server = await startRedisServer()
  })
  afterEach(async () => {
    link.close()
    await server.stop()
  })

  test('carries questions and answers', async () => {
    await openLink()
    expect(link.isUp()).toBe(true)
    expect(await echo()).toBe('hello')
  })

  test.each(['kill', 'pause'] as const)(
    'gives up within a second when the server is gone (%s), then asks no more, and comes back by itself',
    async how => {
      await openLink()
      await server[how]()
      const begunMs = performance.now()
      const answers = await Promise.allSettled(Array.from({ length: 50 }, echo))
      expect(performance.now() - begunMs).toBeLessThan(1_000)
      for (const answer of answers) expect(answer).toMatchObject({ reason: expect.any(RedisAway) })
      expect(link.isUp()).toBe(false)
      const nextMs = performance.now()
      await expect(echo()).rejects.toBeInstanceOf(RedisAway)
      expect(performance.now() - nextMs).toBeLessThan(100)
      await sleep(1_000)
      expect(warnings()).toHaveLength(1)
      await (how === 'kill' ? server.restart() : server.resume())
      await eventually(async () => expect(await echo()).toBe('hello'))
      expect(lines.at(-1)).toContain('Redis answers')
    },
  )

  test('notices soon that the server hangs when nobody asks anything', async () => {
    await openLink()
    await server.pause()
    await eventually(() => expect(link.isUp()).toBe(false), 1_500)
  })

  test('opens while the server is away, and calls its listeners each time it is there', async () => {
    await server.kill()
    await openLink()
    let ups = 0
    link.onUp(() => {
      ups++
    })
    expect(link.isUp()).toBe(false)
    await server.restart()
    await eventually(() => expect(ups).toBe(1))
    await server.kill()
    await eventually(() => expect(link.isUp()).toBe(false))
    await server.restart()
    await eventually(() => expect(ups).toBe(2))
  })

  test('what a listener sends comes before whatever is asked next', async () => {
    await openLink()
    await server.kill()
    await eventually(() => expect(link.isUp()).toBe(false))
    link.onUp(client => void client.set('first', 'yes'))
    await server.restart()
    await eventually(() => expect(link.isUp()).toBe(true))
    expect(await link.ask(client => client.get('first'))).toBe('yes')
  })

  test('takes an error of the server for its absence: a full one is of no use', async () => {
    await openLink()
    await link.ask(client => client.config('SET', 'maxmemory', '1'))
    await expect(link.ask(client => client.set('some', 'thing'))).rejects.toBeInstanceOf(RedisAway)
    await sleep(600)
    expect(link.isUp()).toBe(false)
  })

  test('says where Redis is and never the password', async () => {
    await openLink(server.url.replace('redis://', 'redis://someone:secret-word@'))
    expect(link.isUp()).toBe(false)
    expect(warnings()[0]).toContain(`127.0.0.1:${server.port}`)
    expect(lines.join()).not.toContain('secret-word')
  })
})

describe('the address', () => {
  test.each([
    ['redis://cache', { hosts: [{ host: 'cache', port: 6379 }], isCluster: false, tls: false, database: 0 }],
    ['rediss://u:p%40ss@cache:7000/3', { tls: true, database: 3, username: 'u', password: 'p@ss' }],
    ['redis://[::1]:7000', { hosts: [{ host: '::1', port: 7000 }] }],
    [
      'redis://a:1,redis://b:2',
      {
        hosts: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
        ],
        isCluster: true,
      },
    ],
    ['redis://a?cluster=true', { isCluster: true }],
  ])('%s', (text, expected) => {
    expect(parseRedisUrl(text)).toMatchObject(expected)
  })

  test.each([
    '',
    'cache:6379',
    'http://cache',
    'redis://',
    'redis://a/x',
    'redis://a,http://b',
    'redis://a/1?cluster=true',
  ])('is none: %s', text => expect(parseRedisUrl(text)).toBeNull())
})
