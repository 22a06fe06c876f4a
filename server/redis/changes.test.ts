import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Change, Changes } from '#lib/changes.ts'
import { systemClock } from '#lib/clock.ts'
import { silentLog } from '#telemetry/log.ts'
import { eventually } from '#test/support/eventually.ts'
import { type RedisServer, startRedisServer } from '#test/support/redis-server.ts'
import { parseRedisUrl } from './address.ts'
import { createRedisBus } from './bus.ts'
import { createRedisChanges } from './changes.ts'
import { openRedisLink, type RedisLink } from './link.ts'

type Node = { readonly changes: Changes; readonly link: RedisLink; readonly heard: Change[] }

let server: RedisServer
let nodes: Node[]

async function startNode(nodeId: string, url = server.url): Promise<Node> {
  const address = parseRedisUrl(url)
  if (!address) throw new Error(`No address: ${url}`)
  const link = await openRedisLink({ address, clock: systemClock, log: silentLog })
  const changes = createRedisChanges(createRedisBus({ link, database: address.database, nodeId }))
  const heard: Change[] = []
  changes.subscribe(change => heard.push(change))
  // A node listens from the moment on at which it is told that it may have missed something.
  await eventually(() => expect(heard).toEqual([{ kind: 'resync' }]))
  heard.length = 0
  const node = { changes, link, heard }
  nodes.push(node)
  return node
}

beforeEach(async () => {
  server = await startRedisServer()
  nodes = []
})
afterEach(async () => {
  for (const { link } of nodes) link.close()
  await server.stop()
})

test('a change is heard once on every node: on its own before publishing returns, on the others within a second', async () => {
  const [one, two, three] = [await startNode('one'), await startNode('two'), await startNode('three')]
  const changes: Change[] = [
    { kind: 'key', keyId: 'key_1' },
    { kind: 'user', userId: 'usr_1' },
    { kind: 'account', accountId: 'acc_1' },
    { kind: 'catalog' },
    { kind: 'settings' },
  ]
  for (const change of changes) one.changes.publish(change)
  expect(one.heard).toEqual(changes)
  await eventually(() => expect([two.heard, three.heard]).toEqual([changes, changes]), 1_000)
  await sleep(50)
  expect([one, two, three].map(({ heard }) => heard.length)).toEqual([5, 5, 5])
})

test('another database of the same Redis is another service', async () => {
  const one = await startNode('one')
  const other = await startNode('other', `${server.url}/1`)
  const two = await startNode('two')
  one.changes.publish({ kind: 'catalog' })
  await eventually(() => expect(two.heard).toHaveLength(1))
  expect(other.heard).toEqual([])
})

test('whoever was cut off is told that it may have missed something when it hears again', async () => {
  const [one, two] = [await startNode('one'), await startNode('two')]
  await server.kill()
  await eventually(() => expect(two.link.isUp()).toBe(false))
  one.changes.publish({ kind: 'settings' })
  expect(one.heard).toEqual([{ kind: 'settings' }])
  await server.restart()
  await eventually(() => expect(two.heard).toContainEqual({ kind: 'resync' }))
  // Each node finds Redis again in its own time; what it publishes before that, the others have to take as missed.
  await eventually(() => expect(one.link.isUp()).toBe(true))
  two.heard.length = 0
  one.changes.publish({ kind: 'catalog' })
  await eventually(() => expect(two.heard).toContainEqual({ kind: 'catalog' }))
})

test('what a node could not send the others have to take as missed', async () => {
  const [one, two] = [await startNode('one'), await startNode('two')]
  const ownId = await one.link.ask(client => client.client('ID'))
  // Only the one node's connection is cut, and what it publishes finds it cut.
  await two.link.ask(client => client.client('KILL', 'ID', String(ownId)))
  await eventually(() => expect(one.link.isUp()).toBe(false))
  one.changes.publish({ kind: 'key', keyId: 'key_1' })
  await eventually(() => expect(two.heard).toEqual([{ kind: 'resync' }]))
})

test.each(['not JSON', '[]', '{"from":"x","topic":"change","message":{"kind":"of a later version"}}'])(
  'a message that this version does not understand may concern anything: %s',
  async text => {
    const one = await startNode('one')
    await one.link.ask(client => client.publish('goldweight:0', text))
    await eventually(() => expect(one.heard).toEqual([{ kind: 'resync' }]))
  },
)
