import { expect, test } from 'vitest'
import { readRoutes, toRoutesDraft, withRoute } from './routes-draft.ts'

const ROUTE = { provider_id: 'prv_1', upstream_model: 'large', priority: 1, weight: 3, cost: 2.5 }
const ROUTING = { order: 'least_cost', retries: 1, max_attempts: 3, max_ms: 1500 } as const
const DRAFT = toRoutesDraft({ routes: [{ id: 'rte_1', ...ROUTE }], routing: ROUTING })

test('routes that go into the fields come out as they were, ceilings with them', () => {
  expect(readRoutes(DRAFT)).toEqual({ ok: true, body: { routes: [ROUTE], routing: ROUTING } })
  const open = { ...DRAFT, routing: { ...DRAFT.routing, seconds: ' ' } }
  expect(readRoutes(open)).toMatchObject({ ok: true, body: { routing: { max_ms: null } } })
})

test('every field that says nothing is named, that of a route by its row', () => {
  const more = withRoute(DRAFT, 'prv_2')
  const routes = more.routes.map(route => ({ ...route, priority: '', cost: 'much' }))
  const routing = { ...more.routing, attempts: '0', seconds: '0', retries: '6' }
  const read = readRoutes({ routes, routing })
  expect(Object.keys(read.ok ? {} : read.errors).sort()).toEqual([
    '0.cost',
    '0.priority',
    '1.cost',
    '1.priority',
    '1.upstreamModel',
    'attempts',
    'retries',
    'seconds',
  ])
})
