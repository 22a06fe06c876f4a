/** Which route a request asks next: those that rest are passed over, but not at any price. */
import { expect, test } from 'vitest'
import type { CatalogModel, CatalogRoute } from '#domains/catalog/snapshot.ts'
import { silentLog } from '#telemetry/log.ts'
import { RouteQueue } from './route-queue.ts'
import { RouteRests } from './route-rests.ts'
import { failureOf, HandClock, modelOf, routeOf, TIMED_OUT, unheard } from './routes.fixture.ts'

const [a, b, c] = [routeOf('a'), routeOf('b'), routeOf('c')]

function setUp(routes: readonly CatalogRoute[], routing: Partial<CatalogModel['routing']> = {}) {
  const clock = new HandClock()
  const rests = new RouteRests({ clock, bus: null, health: unheard(), log: silentLog })
  // A queue reads nothing else of a model.
  const model = modelOf(routes, routing) as CatalogModel
  return { clock, rests, queue: new RouteQueue({ routes, model }, { rests, clock, random: () => 0 }) }
}

function rest(rests: RouteRests, route: CatalogRoute, failure = failureOf(500)): void {
  for (let count = 0; count < 3; count++) rests.failed(route, failure, 1_000 + count)
}

function takeAll(queue: RouteQueue): string[] {
  const taken: string[] = []
  for (let route = queue.next(); route; route = queue.next()) taken.push(route.id)
  return taken
}

test('routes that rest are passed over, and one of them is asked as the last resort', () => {
  const { queue, rests } = setUp([a, b, c])
  rest(rests, a)
  rest(rests, b)
  expect(takeAll(queue)).toEqual(['c', 'a'])
})

test('one that said how long to wait is not asked before, and tells when', () => {
  const { queue, rests } = setUp([a, b, c])
  rests.failed(a, failureOf(429, 9), 1_000)
  rests.failed(b, failureOf(429, 4), 1_000)
  rests.failed(c, failureOf(429, 6), 1_000)
  expect(takeAll(queue)).toEqual([])
  expect(queue.restSeconds()).toBe(4)
})

test('the only route of a model is asked whatever it said', () => {
  const { queue, rests } = setUp([a])
  rests.failed(a, failureOf(429, 9), 1_000)
  expect(takeAll(queue)).toEqual(['a'])
})

test('where a route failed, its other credentials come last; where it was throttled they keep their place', () => {
  const sibling = routeOf('a/2', { routeId: 'a' })
  for (const [failure, expected] of [
    [failureOf(500), ['b', 'a/2']],
    [failureOf(429), ['a/2', 'b']],
  ] as const) {
    const { queue } = setUp([a, sibling, b])
    queue.next()
    queue.noteFailed(a, failure)
    expect(takeAll(queue)).toEqual(expected)
  }
})

test('nothing is asked again unless the model wants it', () => {
  const { queue } = setUp([a])
  queue.noteFailed(a, failureOf(500))
  expect(queue.again()).toBeNull()
})

test('routes that failed are asked again after a growing pause, and not before the time that they named', () => {
  const { queue, clock } = setUp([a, b], { retries: 2 })
  queue.noteFailed(a, failureOf(429, 3))
  queue.noteFailed(b, failureOf(500))
  expect(queue.again()).toEqual({ route: b, waitMs: 125 })
  clock.ms += 125
  queue.noteFailed(b, failureOf(500))
  expect(queue.again()).toEqual({ route: b, waitMs: 250 })
  queue.noteFailed(b, failureOf(500))
  expect(queue.again()).toBeNull()
})

test.each([
  ['was too slow', TIMED_OUT],
  ['refused the credential', failureOf(401)],
  ['refused the request', failureOf(400)],
])('what %s is not asked again', (_how, failure) => {
  const { queue } = setUp([a], { retries: 2 })
  queue.noteFailed(a, failure)
  expect(queue.again()).toBeNull()
})
