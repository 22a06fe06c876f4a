/** The circuit breaker: what rests, for how long, and what other nodes hear of it. */
import { expect, test } from 'vitest'
import { fromErrorInside } from '#gateway/providers/upstream-error.ts'
import { silentLog } from '#telemetry/log.ts'
import { RouteRests } from './route-rests.ts'
import { failureOf, HandClock, PROVIDER, routeOf, TIMED_OUT, unheard } from './routes.fixture.ts'

const route = routeOf('r')
/** Another credential of the same route, and the first credential on another route. */
const sibling = routeOf('r/2', { routeId: 'r', provider: { ...PROVIDER, credentialId: 'prv_1:2' } })
const other = routeOf('o')

type Listener = (message: unknown) => void

/** Nodes that hear each other, and one clock for all. */
function nodes(count: number) {
  const clock = new HandClock()
  const listeners: Listener[][] = Array.from({ length: count }, () => [])
  const state = { isCut: false }
  const all = listeners.map(
    own =>
      new RouteRests({
        clock,
        log: silentLog,
        health: unheard(),
        bus: {
          subscribe: (_topic, listener) => own.push(listener),
          publish: (_topic, message) => {
            if (state.isCut) return
            for (const theirs of listeners)
              if (theirs !== own) for (const hear of theirs) hear(structuredClone(message))
          },
        },
      }),
  )
  const node = (index: number): RouteRests => all[index] ?? expect.fail('no such node')
  return { clock, node, state }
}

function fail(rests: RouteRests, clock: HandClock, times = 1, failure = failureOf(500)): void {
  for (let count = 0; count < times; count++) rests.failed(route, failure, clock.ms)
}

test('a route that failed three times in a row rests, whatever its credential; other routes do not', () => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 2)
  expect(node(0).find(route)).toBeNull()
  fail(node(0), clock)
  expect(node(0).find(route)).toMatchObject({ kind: 'failing', isItsWord: false, untilMs: clock.ms + 2_000 })
  expect(node(0).find(sibling)).not.toBeNull()
  expect(node(0).find(other)).toBeNull()
})

test('an answer between failures begins the count anew', () => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 2)
  node(0).answered(route, clock.ms)
  fail(node(0), clock, 2)
  expect(node(0).find(route)).toBeNull()
})

test('after the rest one request finds out; until it has, no other asks', () => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 3)
  clock.ms += 2_000
  expect(node(0).find(route)).toBeNull()
  node(0).asked(route)
  expect(node(0).find(route)).not.toBeNull()
  node(0).answered(route, clock.ms)
  expect(node(0).find(route)).toBeNull()
  expect(node(0).areAny()).toBe(false)
})

test('a probe that fails lengthens the rest, up to a minute; one that is left half-way lets the next one try', () => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 3)
  for (const ms of [4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    clock.ms = node(0).find(route)?.untilMs ?? 0
    node(0).asked(route)
    node(0).notFoundOut(route)
    expect(node(0).find(route)).toBeNull()
    node(0).asked(route)
    fail(node(0), clock)
    expect(node(0).find(route)?.untilMs).toBe(clock.ms + ms)
  }
})

test('what was asked before the rest began neither ends nor lengthens it', () => {
  const { clock, node } = nodes(1)
  const askedMs = clock.ms
  clock.ms += 10
  fail(node(0), clock, 3)
  const rest = node(0).find(route)
  clock.ms += 10
  node(0).answered(route, askedMs)
  node(0).failed(route, failureOf(500), askedMs)
  expect(node(0).find(route)).toEqual(rest)
})

test('a throttled route rests at once and for as long as it says, with this credential alone', () => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 1, failureOf(429, 7))
  expect(node(0).find(route)).toEqual({ kind: 'throttled', isItsWord: true, untilMs: clock.ms + 7_000 })
  expect(node(0).find(sibling)).toBeNull()
  clock.ms += 7_000
  expect(node(0).find(route)).toBeNull()
})

test('one that is throttled and does not say for how long rests for a second', () => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 1, failureOf(429))
  expect(node(0).find(route)).toMatchObject({ isItsWord: false, untilMs: clock.ms + 1_000 })
})

test('what an upstream says of itself is believed up to an hour', () => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 1, failureOf(429, 1_000_000))
  expect(node(0).find(route)?.untilMs).toBe(clock.ms + 3_600_000)
})

test.each([401, 402, 407])(
  'a credential that is refused with %i rests on all routes; others do not',
  status => {
    const { clock, node } = nodes(1)
    fail(node(0), clock, 1, failureOf(status))
    expect(node(0).find(other)).toMatchObject({ kind: 'refused', untilMs: clock.ms + 30_000 })
    expect(node(0).find(sibling)).toBeNull()
  },
)

test.each([400, 403, 404, 422])('what a caller can bring about says nothing of the route: %i', status => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 10, failureOf(status))
  node(0).failed(route, { ...TIMED_OUT, wasNotAsked: true }, clock.ms)
  expect(node(0).areAny()).toBe(false)
})

test('nodes hear of a rest, of the probe and of its end', () => {
  const { clock, node } = nodes(2)
  fail(node(0), clock, 3, TIMED_OUT)
  expect(node(1).find(route)).toEqual(node(0).find(route))
  clock.ms += 2_000
  node(0).asked(route)
  expect(node(1).find(route)).not.toBeNull()
  node(0).answered(route, clock.ms)
  expect(node(1).areAny()).toBe(false)
})

test('a node that hears nothing finds out for itself', () => {
  const { clock, node, state } = nodes(2)
  state.isCut = true
  fail(node(0), clock, 3)
  expect(node(1).find(route)).toBeNull()
  fail(node(1), clock, 3)
  expect(node(1).find(route)).not.toBeNull()
})

test('however many requests ask a route that has no alternative, one probe is told of', () => {
  const told: unknown[] = []
  const clock = new HandClock()
  const bus = { subscribe: () => {}, publish: (_topic: string, message: unknown) => void told.push(message) }
  const rests = new RouteRests({ clock, log: silentLog, bus, health: unheard() })
  fail(rests, clock, 3)
  clock.ms += 2_000
  told.length = 0
  for (let count = 0; count < 5; count++) rests.asked(route)
  expect(told).toEqual([{ news: 'probed', kind: 'failing', key: 'r', ms: 30_000 }])
})

test.each([400, 404, 429, 401])('a probe that is answered %i has found the upstream there', status => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 3)
  clock.ms += 2_000
  node(0).asked(route)
  fail(node(0), clock, 1, failureOf(status))
  expect(node(0).find(route)?.kind).not.toBe('failing')
  expect(node(0).isFailing(route)).toBe(status === 429 || status === 401)
})

test('one that fails and says when it wants to be asked again rests at once, but may be the last resort', () => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 1, failureOf(503, 20))
  expect(node(0).find(route)).toEqual({ kind: 'failing', isItsWord: false, untilMs: clock.ms + 20_000 })
})

test('what an error within an answer means is what counts', () => {
  const { clock, node } = nodes(1)
  fail(node(0), clock, 1, fromErrorInside({ error: { message: 'no such key', code: 401 } }))
  expect(node(0).find(route)?.kind).toBe('refused')
})
