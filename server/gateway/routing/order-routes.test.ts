import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import { Latencies } from './latencies.ts'
import { orderRoutes } from './order-routes.ts'
import { modelOf, routeOf } from './routes.fixture.ts'

const NO_LATENCIES = new Latencies()

const route = (id: string, priority: number, weight: number) => routeOf(id, { priority, weight })

const order = (routes: readonly CatalogRoute[], random: () => number) =>
  orderRoutes(modelOf(routes), false, { random, latencies: NO_LATENCIES })

const ids = (routes: readonly CatalogRoute[]) => routes.map(({ id }) => id)

const anyRoutes = fc
  .array(fc.tuple(fc.nat(3), fc.nat(5)), { maxLength: 8 })
  .map(pairs => pairs.map(([priority, weight], index) => route(`r${index}`, priority, weight)))
const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('every route is tried exactly once, lower priorities before higher ones', () => {
  fc.assert(
    fc.property(anyRoutes, fc.array(anyRandom, { minLength: 8, maxLength: 8 }), (routes, numbers) => {
      const left = [...numbers]
      const ordered = order(routes, () => left.shift() ?? 0)
      expect(ids(ordered).toSorted()).toEqual(ids(routes).toSorted())
      const priorities = ordered.map(({ priority }) => priority)
      expect(priorities).toEqual(priorities.toSorted((a, b) => a - b))
    }),
  )
})

test('a route of weight 0 comes after all its equals', () => {
  fc.assert(
    fc.property(anyRoutes, anyRandom, (routes, number) => {
      const ordered = order(routes, () => number)
      for (const [index, { priority, weight }] of ordered.entries()) {
        if (weight > 0) continue
        const later = ordered.slice(index).filter(other => other.priority === priority)
        expect(later.every(other => other.weight === 0)).toBe(true)
      }
    }),
  )
})

test.each([
  [0, ['a', 'b', 'c']],
  [0.299, ['a', 'b', 'c']],
  [0.301, ['b', 'a', 'c']],
  [0.899, ['b', 'c', 'a']],
  [0.901, ['c', 'b', 'a']],
])('equals are drawn by their share: %d gives %j', (number, expected) => {
  const routes = [route('a', 1, 3), route('b', 1, 6), route('c', 1, 1)]
  expect(ids(order(routes, () => number))).toEqual(expected)
})

test('over many draws each goes first as often as its weight says', () => {
  const routes = [route('a', 1, 1), route('b', 1, 2), route('c', 1, 7)]
  const first: Record<string, number> = {}
  for (let draw = 0; draw < 1000; draw++) {
    const [winner] = order(routes, () => (draw + 0.5) / 1000)
    if (winner) first[winner.id] = (first[winner.id] ?? 0) + 1
  }
  expect(first).toEqual({ a: 100, b: 200, c: 700 })
})

test('no random number is drawn where there is nothing to choose', () => {
  const never = () => {
    throw new Error('drawn')
  }
  expect(order([], never)).toEqual([])
  expect(ids(order([route('a', 1, 1)], never))).toEqual(['a'])
})

test('the cheapest of equals goes first, one whose cost is not known after them, and the spare one last', () => {
  const routes = [
    routeOf('spare', { weight: 0, cost: 0 }),
    routeOf('unknown'),
    routeOf('dear', { cost: 9 }),
    routeOf('cheap', { cost: 0.5 }),
    routeOf('later', { priority: 1, cost: 0.1 }),
  ]
  const ordered = orderRoutes(modelOf(routes, { order: 'least_cost' }), false, {
    random: Math.random,
    latencies: NO_LATENCIES,
  })
  expect(ids(ordered)).toEqual(['cheap', 'dear', 'unknown', 'spare', 'later'])
})

test('the fastest of equals goes first, each kind of answer by its own times, and what is not measured before it', () => {
  const [slow, fast, fresh] = [routeOf('slow'), routeOf('fast'), routeOf('fresh')]
  const latencies = new Latencies()
  for (const isStream of [true, false]) {
    latencies.note(slow, isStream, isStream ? 10 : 900)
    latencies.note(fast, isStream, isStream ? 20 : 300)
  }
  const ordered = (isStream: boolean, draw: number, routes = [slow, fast]) =>
    ids(orderRoutes(modelOf(routes, { order: 'least_latency' }), isStream, { random: () => draw, latencies }))
  expect(ordered(false, 0.5)).toEqual(['fast', 'slow'])
  expect(ordered(true, 0.5)).toEqual(['slow', 'fast'])
  expect(ordered(false, 0.5, [slow, fast, fresh])).toEqual(['fresh', 'fast', 'slow'])
  // Now and then chance alone decides, or the slower one would never be measured again.
  expect(ordered(false, 0.01)).toEqual(['slow', 'fast'])
  for (let count = 0; count < 40; count++) latencies.note(slow, false, 100)
  expect(ordered(false, 0.5)).toEqual(['slow', 'fast'])
})
