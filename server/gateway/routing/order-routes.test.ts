import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import { orderRoutes } from './order-routes.ts'

const provider: CatalogRoute['provider'] = {
  id: 'prov_1',
  name: 'A provider',
  kind: 'openai',
  baseUrl: 'http://127.0.0.1/v1',
  credential: null,
  headers: {},
  timeouts: { connect_ms: 1, first_byte_ms: 1, idle_ms: 1 },
}

function route(id: string, priority: number, weight: number): CatalogRoute {
  return { id, provider, upstreamModel: id, priority, weight }
}

const ids = (routes: readonly CatalogRoute[]) => routes.map(({ id }) => id)

const anyRoutes = fc
  .array(fc.tuple(fc.nat(3), fc.nat(5)), { maxLength: 8 })
  .map(pairs => pairs.map(([priority, weight], index) => route(`r${index}`, priority, weight)))
const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('every route is tried exactly once, lower priorities before higher ones', () => {
  fc.assert(
    fc.property(anyRoutes, fc.array(anyRandom, { minLength: 8, maxLength: 8 }), (routes, numbers) => {
      const left = [...numbers]
      const ordered = orderRoutes(routes, () => left.shift() ?? 0)
      expect(ids(ordered).toSorted()).toEqual(ids(routes).toSorted())
      const priorities = ordered.map(({ priority }) => priority)
      expect(priorities).toEqual(priorities.toSorted((a, b) => a - b))
    }),
  )
})

test('a route of weight 0 comes after all its equals', () => {
  fc.assert(
    fc.property(anyRoutes, anyRandom, (routes, number) => {
      const ordered = orderRoutes(routes, () => number)
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
  expect(ids(orderRoutes(routes, () => number))).toEqual(expected)
})

test('over many draws each goes first as often as its weight says', () => {
  const routes = [route('a', 1, 1), route('b', 1, 2), route('c', 1, 7)]
  const first: Record<string, number> = {}
  for (let draw = 0; draw < 1000; draw++) {
    const [winner] = orderRoutes(routes, () => (draw + 0.5) / 1000)
    if (winner) first[winner.id] = (first[winner.id] ?? 0) + 1
  }
  expect(first).toEqual({ a: 100, b: 200, c: 700 })
})

test('no random number is drawn where there is nothing to choose', () => {
  const never = () => {
    throw new Error('drawn')
  }
  expect(orderRoutes([], never)).toEqual([])
  expect(ids(orderRoutes([route('a', 1, 1)], never))).toEqual(['a'])
})
