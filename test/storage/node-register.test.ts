import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNodeRegister, isServing, type NodeState } from '#domains/nodes/node-register.ts'
import { ENGINES, type OpenedStorage } from './engines.ts'

const HOUR = 3_600_000

describe.each(ENGINES)('the register of nodes on $name', ({ open }) => {
  let opened: OpenedStorage
  let nowMs: number
  const clock = { now: () => nowMs, monotonicMs: () => nowMs }
  beforeEach(async () => {
    nowMs = Date.parse('2026-11-21T08:00:00Z')
    opened = await open()
  })
  afterEach(() => opened.close())

  function start(name: string, change: Partial<NodeState> = {}, id = `nod_${name}`) {
    const state = {
      address: '0.0.0.0:8080',
      in_flight: 2,
      redis: null,
      memory_bytes: 100_000_000,
      isDraining: false,
      busy: 0.125,
      ...change,
    }
    const self = { id, name, version: '1.2.3' }
    return createNodeRegister({ storage: opened.storage, clock, self, readState: () => state })
  }

  const statesOf = async (node: ReturnType<typeof start>) =>
    (await node.list()).map(({ name, state }) => [name, state])

  test('each node tells of all, and of itself as it is now', async () => {
    const [first, second] = [
      start('first'),
      start('second', { in_flight: 3, isDraining: true, redis: 'down' }),
    ]
    await Promise.all([first.beat(), second.beat()])
    nowMs += 1_000
    const nodes = await first.list()
    expect(nodes.find(({ answers }) => answers)).toEqual({
      id: 'nod_first',
      object: 'node',
      name: 'first',
      address: '0.0.0.0:8080',
      version: '1.2.3',
      state: 'serving',
      answers: true,
      started_at: '2026-11-21T08:00:00.000Z',
      last_seen_at: '2026-11-21T08:00:01.000Z',
      in_flight: 2,
      redis: null,
      memory_bytes: 100_000_000,
      busy: 0.13,
    })
    expect(nodes.find(({ answers }) => !answers)).toMatchObject({
      name: 'second',
      state: 'draining',
      redis: 'down',
      last_seen_at: '2026-11-21T08:00:00.000Z',
    })
    expect(nodes.filter(isServing).reduce((sum, node) => sum + node.in_flight, 0)).toBe(5)
    await Promise.all([first.close(), second.close()])
  })

  test('one that ends says so, and is forgotten after an hour', async () => {
    const [first, second] = [start('first'), start('second')]
    await second.beat()
    await second.close()
    expect(await statesOf(first)).toEqual([
      ['first', 'serving'],
      ['second', 'stopped'],
    ])
    nowMs += HOUR + 1
    await first.beat()
    expect(await statesOf(first)).toEqual([['first', 'serving']])
    await first.close()
  })

  test('one that says nothing for twenty seconds has vanished, is back with its next beat, and else forgotten after a day', async () => {
    const [first, second] = [start('first'), start('second')]
    await second.beat()
    nowMs += 20_001
    expect(await statesOf(first)).toContainEqual(['second', 'vanished'])
    await second.beat()
    expect(await statesOf(first)).toContainEqual(['second', 'serving'])
    nowMs += 23 * HOUR
    await first.beat()
    expect(await statesOf(first)).toContainEqual(['second', 'vanished'])
    nowMs += 2 * HOUR
    await first.beat()
    expect(await statesOf(first)).toEqual([['first', 'serving']])
    await Promise.all([first.close(), second.close()])
  })

  test('one that was killed gives way to the one that is started in its place', async () => {
    const killed = start('first', {}, 'nod_killed')
    await killed.beat()
    nowMs += 8_001
    const next = start('first', {}, 'nod_next')
    const elsewhere = start('first', { address: '0.0.0.0:9090' }, 'nod_elsewhere')
    await next.beat()
    await elsewhere.beat()
    expect((await next.list()).map(({ id }) => id).toSorted()).toEqual(['nod_elsewhere', 'nod_next'])
    await Promise.all([next.close(), elsewhere.close()])
    await killed.close()
  })

  test('nodes on machines of the same name leave each other alone; one that ended gives way at once', async () => {
    const [one, other] = [start('localhost', {}, 'nod_one'), start('localhost', {}, 'nod_other')]
    const ids = async () => (await one.list()).map(({ id }) => id).toSorted()
    for (let beats = 0; beats < 3; beats++) {
      nowMs += 2_500
      await one.beat()
      nowMs += 2_500
      await other.beat()
      expect(await ids()).toEqual(['nod_one', 'nod_other'])
    }
    await other.close()
    nowMs += 1
    await one.beat()
    expect(await ids()).toEqual(['nod_one'])
    await one.close()
  })
})
