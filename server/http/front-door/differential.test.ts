/** Whatever a client sends, it is read and answered behind the front door as it is by node's server alone. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { LAST_REQUEST, mutationOf, ordinaryRequest, rareRequest, splitOf } from './requests.fixture.ts'
import {
  type Client,
  type EchoServer,
  openClient,
  type SeenRequest,
  sendPieces,
  startEchoServer,
} from './two-servers.fixture.ts'

/** Longer than the front door waits for the rest of a body. */
const QUIET_MS = 150
/** So many conversations are led at one time, each with servers of its own. */
const AT_ONCE = 12

type Pair = { readonly door: EchoServer; readonly plain: EchoServer }
let pairs: Pair[] = []
beforeAll(async () => {
  pairs = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => ({
      door: await startEchoServer({ hasDoor: true }),
      plain: await startEchoServer({ hasDoor: false }),
    })),
  )
})
afterAll(() => Promise.all(pairs.flatMap(({ door, plain }) => [door.close(), plain.close()])))

const readByDoor = () => pairs.reduce((sum, { door }) => sum + door.read.byDoor, 0)

/** What became of a conversation. */
type Reading = {
  /** The requests that were read to their end: node announces what it then finds to be broken, the front door does not. */
  readonly seen: readonly SeenRequest[]
  readonly told: string
  readonly isClosed: boolean
}

function read({ seen }: EchoServer, client: Client): Reading {
  const whole = seen.filter(({ body }) => body !== null)
  return { seen: whole, told: client.told(), isClosed: client.isClosed() }
}

type Compare = (ours: Reading, theirs: Reading) => void

const expectEqual: Compare = (ours, theirs) => expect(ours).toEqual(theirs)

const REFUSAL = /HTTP\/1\.1 400 [\s\S]*$/

/**
 * What is broken is refused before, in the midst of, or after the answers to the requests around it: that is a question of
 * who is quicker. As far as both have come, they are the same.
 */
const expectEqualUnlessCutOff: Compare = (ours, theirs) => {
  const isSettled = ours.told === theirs.told && !REFUSAL.test(ours.told)
  if (isSettled || !ours.isClosed || !theirs.isClosed) return expectEqual(ours, theirs)
  expectSameStart(ours.told.replace(REFUSAL, ''), theirs.told.replace(REFUSAL, ''))
  expectSameStart(ours.seen, theirs.seen)
}

function expectSameStart(some: string | readonly unknown[], others: string | readonly unknown[]): void {
  const both = Math.min(some.length, others.length)
  expect(some.slice(0, both)).toEqual(others.slice(0, both))
}

/** Says the same at both servers, and compares what came of it. */
async function converse(
  { door, plain }: Pair,
  pieces: readonly Buffer[],
  expectAlike: Compare,
): Promise<void> {
  door.seen.length = 0
  plain.seen.length = 0
  const [ours, theirs] = await Promise.all([openClient(door.port), openClient(plain.port)])
  try {
    await Promise.all([sendPieces(ours, pieces), sendPieces(theirs, pieces)])
    const endsMs = performance.now() + QUIET_MS
    while (performance.now() < endsMs && !(ours.isClosed() && theirs.isClosed())) await sleep(2)
    await eventually(() => expectAlike(read(door, ours), read(plain, theirs)))
  } finally {
    ours.socket.destroy()
    theirs.socket.destroy()
  }
}

/** Leads conversations side by side. */
async function converseAll(
  conversations: readonly (readonly Buffer[])[],
  expectAlike = expectEqual,
): Promise<void> {
  await Promise.all(
    conversations.map((pieces, at) => {
      const pair = pairs[at]
      if (!pair) throw new Error('There are not so many servers')
      return converse(pair, pieces, expectAlike)
    }),
  )
}

const several = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: AT_ONCE, maxLength: AT_ONCE })

test('ordinary requests, one after the other on one connection', async () => {
  const before = readByDoor()
  const conversation = fc
    .array(ordinaryRequest, { minLength: 1, maxLength: 3 })
    .map(requests => [...requests, LAST_REQUEST])
  await fc.assert(
    fc.asyncProperty(several(conversation), all => converseAll(all)),
    { numRuns: 15, endOnFailure: true },
  )
  // Or nothing was compared.
  expect(readByDoor() - before).toBeGreaterThan(15 * AT_ONCE * 0.5)
})

test('ordinary and rare requests, sent at once or cut anywhere', async () => {
  const before = readByDoor()
  const conversation = fc
    .array(fc.oneof({ weight: 3, arbitrary: ordinaryRequest }, rareRequest), { minLength: 1, maxLength: 4 })
    .chain(requests => splitOf(Buffer.concat([...requests, LAST_REQUEST]), 5))
  await fc.assert(
    fc.asyncProperty(several(conversation), all => converseAll(all)),
    { numRuns: 25, endOnFailure: true },
  )
  expect(readByDoor()).toBeGreaterThan(before)
})

test('requests after an accident', async () => {
  const before = readByDoor()
  const conversation = fc
    .tuple(fc.array(ordinaryRequest, { maxLength: 1 }), ordinaryRequest.chain(mutationOf))
    .chain(([requests, mutated]) =>
      fc.tuple(fc.constant(requests), splitOf(Buffer.concat([mutated, LAST_REQUEST]), 2)),
    )
    .map(([requests, pieces]) => [...requests, ...pieces])
  await fc.assert(
    fc.asyncProperty(several(conversation), all => converseAll(all, expectEqualUnlessCutOff)),
    { numRuns: 60, endOnFailure: true },
  )
  expect(readByDoor()).toBeGreaterThan(before)
}, 120_000)

test('a request that is cut at any byte', async () => {
  const whole = Buffer.from(
    'POST /v1/chunks HTTP/1.1\r\nHost: a\r\nx-a:  b \r\nContent-Length: 12\r\n\r\n{"a":"b\xff\r\n"}',
    'latin1',
  )
  for (let at = 1; at < whole.length; at += AT_ONCE) {
    const cuts = Array.from({ length: Math.min(AT_ONCE, whole.length - at) }, (_, more) => at + more)
    await converseAll(cuts.map(cut => [whole.subarray(0, cut), whole.subarray(cut), LAST_REQUEST]))
  }
})
