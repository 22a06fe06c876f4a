/** Several nodes over one Redis, which may vanish at any moment. */
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '#domains/keys/caller.ts'
import type { Decided, DecisionKind, Slot } from '#gateway/admission/engine.ts'
import { micros } from '#lib/money.ts'
import type { Balance } from '#storage/storage.ts'
import { eventually } from '#test/support/eventually.ts'
import { type RedisServer, startRedisServer } from '#test/support/redis-server.ts'
import { type AdmissionNode, openAdmissionNode } from './admission-node.fixture.ts'
import { balanceKey, slotsKey } from './keys.ts'
import { LEASE_MS } from './scripts.ts'

const ALL = 'rate, credits and concurrency'

let server: RedisServer
let redis: Redis
let nodes: AdmissionNode[]
beforeEach(async () => {
  server = await startRedisServer()
  redis = new Redis(server.url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  redis.on('error', () => {})
  nodes = []
})
afterEach(async () => {
  for (const node of nodes) await node.close()
  redis.disconnect()
  await server.stop()
})

async function openNode(
  options: Partial<Parameters<typeof openAdmissionNode>[0]> = {},
): Promise<AdmissionNode> {
  const node = await openAdmissionNode({ url: server.url, ...options })
  nodes.push(node)
  return node
}

const balance = (left: bigint, sequence = 1): Balance => ({
  allocatedMicros: micros(left),
  usedMicros: micros(0n),
  lastAllocationMicros: micros(left),
  sequence,
})

function caller(limits: Partial<Caller['limits']> = {}): Caller {
  return {
    keyId: 'key_1',
    accountId: 'acc_1',
    userId: 'usr_1',
    expiresAt: null,
    models: null,
    spendingCap: null,
    limits: { requests: 1_000_000, windowSeconds: 60, concurrency: 3, ...limits },
  }
}

/** Asks as the pipeline does, with a store that says there is something left. */
async function admit({ engine }: AdmissionNode, who = caller()): Promise<Decided> {
  const decision = await engine.admit(who, ALL)
  const taught = decision.kind === 'balance-unknown' ? await engine.admit(who, ALL, balance(100n)) : decision
  if (taught.kind === 'balance-unknown') throw new Error('It was given')
  return taught
}

function slotOf({ slot }: Decided): Slot {
  if (!slot) throw new Error('Not admitted')
  return slot
}

function tally(decisions: readonly Decided[]): Partial<Record<DecisionKind, number>> {
  const counts: Partial<Record<DecisionKind, number>> = {}
  for (const { kind } of decisions) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

const askedOfAll = (asked: readonly AdmissionNode[], count: number, who: Caller) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => {
      const node = asked[index % asked.length]
      if (!node) throw new Error('No node')
      return admit(node, who)
    }),
  )

describe('over three nodes', () => {
  test.each([1, 7, 64])('a cap of %i lets exactly that many of ten times as many in', async concurrency => {
    const three = [await openNode(), await openNode(), await openNode()]
    const who = caller({ concurrency })
    const decisions = await askedOfAll(three, concurrency * 10, who)
    expect(tally(decisions)).toEqual({ admitted: concurrency, 'concurrency-reached': concurrency * 9 })
  })

  test('a rate is exact: never more than the limit in any window, and free again a sixtieth later', async () => {
    let nowMs = 1_700_000_000_000
    const now = () => nowMs
    const time = { clock: { monotonicMs: now }, serverNow: now }
    const three = [await openNode(time), await openNode(time), await openNode(time)]
    const who = caller({ requests: 20, windowSeconds: 6, concurrency: 100_000 })
    const admittedAt: number[] = []
    for (const gapMs of [0, 0, 5_990, 9, 1, 50, 49, 1, 3_000, 3_000, 100, 1, 5_999, 1, 99, 1]) {
      nowMs += gapMs
      const { admitted = 0, 'rate-limited': limited = 0 } = tally(await askedOfAll(three, 30, who))
      for (let count = 0; count < admitted; count++) admittedAt.push(nowMs)
      const lately = admittedAt.filter(at => at > nowMs - 6_100)
      if (limited > 0) expect(lately.length).toBeGreaterThanOrEqual(20)
    }
    for (const [index, at] of admittedAt.entries()) {
      expect(admittedAt.slice(index).filter(other => other < at + 6_000).length).toBeLessThanOrEqual(20)
    }
    expect(admittedAt.length).toBeGreaterThanOrEqual(60)
  })

  test('a slot that is given back on its node is free on the others', async () => {
    const [one, two] = [await openNode(), await openNode()]
    const who = caller({ concurrency: 1 })
    for (let count = 0; count < 20; count++) {
      const [holder, other] = count % 2 === 0 ? [one, two] : [two, one]
      const slot = slotOf(await admit(holder, who))
      expect((await admit(other, who)).kind).toBe('concurrency-reached')
      await holder.engine.release(slot)
      expect(await heldInRedis()).toBe(0)
      await other.engine.release(slotOf(await admit(other, who)))
      expect(await heldInRedis()).toBe(0)
    }
  })

  test('a balance that is spent or granted on one node is so on all', async () => {
    const [one, two] = [await openNode(), await openNode()]
    const slot = slotOf(await admit(one))
    void one.engine.learnBalance('acc_1', balance(0n, 2))
    await one.engine.release(slot)
    expect((await admit(two)).kind).toBe('credits-exhausted')
    await two.engine.learnBalance('acc_1', balance(5n, 3))
    expect((await admit(one)).kind).toBe('admitted')
    await one.engine.learnBalance('acc_1', balance(0n, 2))
    expect((await admit(two)).kind).toBe('admitted')
  })
})

describe('a node that dies', () => {
  test('gives its slots back within fifteen seconds, and not while it lives', async () => {
    let nowMs = 1_700_000_000_000
    const now = () => nowMs
    const time = { clock: { monotonicMs: now }, serverNow: now }
    const [dying, living] = [await openNode(time), await openNode(time)]
    const who = caller({ concurrency: 2 })
    await admit(dying, who)
    const slot = slotOf(await admit(living, who))
    for (let seconds = 0; seconds < 60; seconds += 4) {
      nowMs += 4_000
      await dying.engine.renewLeases()
      await living.engine.renewLeases()
      expect((await admit(living, who)).kind).toBe('concurrency-reached')
    }
    await dying.close()
    nowMs += 8_000
    await living.engine.renewLeases()
    expect((await admit(living, who)).kind).toBe('concurrency-reached')
    nowMs += LEASE_MS - 8_000
    expect((await admit(living, who)).kind).toBe('admitted')
    await living.engine.release(slot)
    expect(LEASE_MS).toBeLessThan(15_000)
  })
})

test('what a node holds counts for itself even when its leases have lapsed', async () => {
  let nowMs = 1_700_000_000_000
  const now = () => nowMs
  const one = await openNode({ clock: { monotonicMs: now }, serverNow: now })
  const who = caller({ concurrency: 4 })
  for (let count = 0; count < 3; count++) await admit(one, who)
  nowMs += LEASE_MS
  expect(tally(await askedOfAll([one], 30, who))).toEqual({ admitted: 1, 'concurrency-reached': 29 })
})

describe('when Redis is emptied', () => {
  test('what is in flight on the asking node and on the others is counted again at once', async () => {
    const [one, two] = [await openNode(), await openNode()]
    const who = caller({ concurrency: 4 })
    const slots = [await admit(one, who), await admit(one, who), await admit(two, who), await admit(two, who)]
    expect((await admit(one, who)).kind).toBe('concurrency-reached')
    await redis.flushall()
    // The first to ask finds the balance gone; while it reads the store, all nodes register what they hold.
    expect(await one.engine.admit(who, ALL)).toEqual({ kind: 'balance-unknown' })
    await eventually(async () => expect(await heldInRedis()).toBe(4))
    expect((await admit(one, who)).kind).toBe('concurrency-reached')
    expect((await admit(two, who)).kind).toBe('concurrency-reached')
    for (const [index, decision] of slots.entries())
      await (index < 2 ? one : two).engine.release(slotOf(decision))
    await eventually(async () => expect(await heldInRedis()).toBe(0))
    expect(tally(await askedOfAll([one, two], 40, who))).toEqual({ admitted: 4, 'concurrency-reached': 36 })
  })

  test('a node never lets in more than the cap beside what it holds itself, even if the slots alone are lost', async () => {
    const one = await openNode()
    const who = caller({ concurrency: 3 })
    for (let count = 0; count < 3; count++) await admit(one, who)
    await redis.del(slotsKey('acc_1', 'key_1'))
    expect(tally(await askedOfAll([one], 30, who))).toEqual({ 'concurrency-reached': 30 })
    expect(await heldInRedis()).toBe(3)
  })

  test('what a node holds is registered at the next renewal, whoever asks', async () => {
    const [one, two] = [await openNode(), await openNode()]
    const who = caller({ concurrency: 1 })
    await admit(one, who)
    await redis.flushall()
    await one.engine.renewLeases()
    await eventually(async () => expect(await heldInRedis()).toBe(1))
    expect((await admit(two, who)).kind).toBe('concurrency-reached')
  })

  test('the balance comes from the store again, and a rate window starts afresh', async () => {
    const one = await openNode()
    const who = caller({ requests: 2, concurrency: 100 })
    for (let count = 0; count < 2; count++) await admit(one, who)
    await one.engine.learnBalance('acc_1', balance(100n, 5))
    expect((await admit(one, who)).kind).toBe('rate-limited')
    await redis.flushall()
    expect(await one.engine.admit(who, ALL)).toEqual({ kind: 'balance-unknown' })
    expect(await one.engine.admit(who, ALL, balance(0n, 6))).toMatchObject({ kind: 'credits-exhausted' })
    expect(await one.engine.admit(who, ALL, balance(9n, 7))).toMatchObject({ kind: 'admitted' })
  })

  test('and its scripts are gone, no request notices', async () => {
    const one = await openNode()
    await admit(one)
    await redis.script('FLUSH')
    expect((await admit(one)).kind).toBe('admitted')
    expect(one.link.isUp()).toBe(true)
  })
})

describe.each(['kill', 'pause'] as const)('when Redis is away (%s)', how => {
  const back = () => (how === 'kill' ? server.restart() : server.resume())

  test('every request is decided within a second, by the limits of its node', async () => {
    const [one, two] = [await openNode(), await openNode()]
    const who = caller({ concurrency: 3 })
    await admit(one, who)
    await server[how]()
    const begunMs = performance.now()
    const decisions = await askedOfAll([one, two], 60, who)
    expect(performance.now() - begunMs).toBeLessThan(1_500)
    expect(tally(decisions)).toEqual({ admitted: 5, 'concurrency-reached': 55 })
    const laterMs = performance.now()
    await askedOfAll([one, two], 60, who)
    expect(performance.now() - laterMs).toBeLessThan(500)
  })

  test('what was taken before or meanwhile is counted when it is back, and what was given back is free', async () => {
    const [one, two] = [await openNode(), await openNode()]
    const who = caller({ concurrency: 3 })
    const before = [slotOf(await admit(one, who)), slotOf(await admit(one, who))]
    await server[how]()
    await eventually(() => expect([one, two].map(({ link }) => link.isUp())).toEqual([false, false]))
    for (const slot of before) await one.engine.release(slot)
    const meanwhile = [slotOf(await admit(one, who)), slotOf(await admit(two, who))]
    await back()
    await eventually(() => expect([one, two].map(({ link }) => link.isUp())).toEqual([true, true]))
    await eventually(async () => expect(await heldInRedis()).toBe(2))
    expect(tally(await askedOfAll([one, two], 30, who))).toEqual({ admitted: 1, 'concurrency-reached': 29 })
    for (const [index, slot] of meanwhile.entries()) await (index === 0 ? one : two).engine.release(slot)
    await eventually(async () => expect(await heldInRedis()).toBe(1))
  })

  test('a request whose answer did not come in time holds one slot, not two, and none when it is over', async () => {
    const one = await openNode()
    const who = caller({ concurrency: 10 })
    await admit(one, who)
    await server[how]()
    // These were sent, and a server that hangs may act on them when it goes on.
    const decisions = await Promise.all(Array.from({ length: 12 }, () => admit(one, who)))
    expect(tally(decisions)).toEqual({ admitted: 9, 'concurrency-reached': 3 })
    await back()
    await eventually(() => expect(one.link.isUp()).toBe(true))
    await eventually(async () => expect(await heldInRedis()).toBe(10))
    for (const { slot } of decisions) if (slot) await one.engine.release(slot)
    await eventually(async () => expect(await heldInRedis()).toBe(1))
  })

  test('as many requests may come and go meanwhile as want to: it is told of all their slots', async () => {
    const one = await openNode()
    const who = caller({ concurrency: 3 })
    const before = slotOf(await admit(one, who))
    await server[how]()
    await eventually(() => expect(one.link.isUp()).toBe(false))
    for (let count = 0; count < 9_000; count++) await one.engine.release(slotOf(await admit(one, who)))
    await one.engine.release(before)
    await back()
    await eventually(() => expect(one.link.isUp()).toBe(true))
    expect((await admit(one, who)).kind).toBe('admitted')
    expect(one.link.isUp()).toBe(true)
    expect(await heldInRedis()).toBe(1)
  })

  test('balances that changed meanwhile are right when it is back', async () => {
    const [one, two] = [await openNode(), await openNode()]
    await admit(one)
    await two.engine.learnBalance('acc_1', balance(0n, 2))
    await eventually(async () => expect(await redis.get(balanceKey('acc_1'))).toMatch(/^0 2 /))
    await server[how]()
    await eventually(() => expect(two.link.isUp()).toBe(false))
    await two.engine.learnBalance('acc_1', balance(50n, 3))
    await back()
    await eventually(async () => expect(await redis.get(balanceKey('acc_1'))).toMatch(/^50 3 /))
    await eventually(() => expect(one.link.isUp()).toBe(true))
    expect((await admit(one)).kind).toBe('admitted')
  })
})

test('an account that is refused is looked up in the store again a second later', async () => {
  const one = await openNode()
  await admit(one)
  await one.engine.learnBalance('acc_1', balance(0n, 2))
  expect((await one.engine.admit(caller(), ALL)).kind).toBe('credits-exhausted')
  // A purchase that no node told of, such as one whose node died with its message.
  await eventually(
    async () => expect((await one.engine.admit(caller(), ALL)).kind).toBe('balance-unknown'),
    1_500,
  )
  expect((await one.engine.admit(caller(), ALL, balance(50n, 3))).kind).toBe('admitted')
})

test('nothing is left in Redis of what nobody uses any more', async () => {
  const one = await openNode()
  await admit(one, caller({ windowSeconds: 1 }))
  for (const key of await redis.keys('*')) {
    const lifeMs = await redis.pttl(key)
    expect({ key, isBounded: lifeMs > 0 && lifeMs <= 61_000 }).toEqual({ key, isBounded: true })
  }
})

/** How many slots of the key Redis counts now. */
async function heldInRedis(): Promise<number> {
  const [seconds] = await redis.time()
  return redis.zcount(slotsKey('acc_1', 'key_1'), Number(seconds) * 1000, '+inf')
}
