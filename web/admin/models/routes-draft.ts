import { z } from 'zod'
import { modelRouting, type RoutingOrder, routeInput } from '#contract/catalog.ts'
import type { Model } from '#web/api/admin/models.ts'
import { typedCount, typedNumber } from '#web/ui/typed-number.ts'
import { ORDERS } from './routing-words.ts'

/** A route as it is written into fields; the number only tells rows apart. */
export type RouteDraft = {
  readonly row: number
  readonly provider: string
  readonly upstreamModel: string
  readonly priority: string
  readonly weight: string
  readonly cost: string
}

/** How routes are tried, as it is written into fields. */
export type RoutingDraft = {
  readonly order: RoutingOrder
  readonly attempts: string
  readonly seconds: string
  readonly retries: string
}

export type RoutesDraft = { readonly routes: readonly RouteDraft[]; readonly routing: RoutingDraft }

export function toRoutesDraft({ routes, routing }: Pick<Model, 'routes' | 'routing'>): RoutesDraft {
  const { order, max_attempts: attempts, max_ms: ms, retries } = routing
  return {
    routes: routes.map((route, row) => ({
      row,
      provider: route.provider_id,
      upstreamModel: route.upstream_model,
      priority: String(route.priority),
      weight: String(route.weight),
      cost: route.cost === null ? '' : String(route.cost),
    })),
    routing: {
      order,
      attempts: String(attempts),
      seconds: ms === null ? '' : String(ms / 1000),
      retries: String(retries),
    },
  }
}

export function withRoute({ routes, routing }: RoutesDraft, provider: string): RoutesDraft {
  const row = Math.max(-1, ...routes.map(route => route.row)) + 1
  return {
    routing,
    routes: [...routes, { row, provider, upstreamModel: '', priority: '0', weight: '1', cost: '' }],
  }
}

export function toOrder(value: string): RoutingOrder {
  return ORDERS.find(each => each.value === value)?.value ?? 'shares'
}

const ROUTE_FIELDS: Readonly<Record<string, string>> = { upstream_model: 'upstreamModel' }
const ROUTING_FIELDS: Readonly<Record<string, string>> = { max_attempts: 'attempts', max_ms: 'seconds' }

const PROBLEMS: Readonly<Record<string, string>> = {
  upstreamModel: 'Give the name that the provider has for it.',
  priority: 'Give a whole number from 0 to 1,000.',
  weight: 'Give a whole number from 0 to 1,000,000.',
  cost: 'Give a number of 0 or more, or nothing.',
  attempts: 'Give a whole number from 1 to 50.',
  seconds: 'Give a number of seconds from 0.1 to 3,600, or nothing.',
  retries: 'Give a whole number from 0 to 5.',
}

const written = z.object({ routes: z.array(routeInput), routing: modelRouting })

export type RoutesBody = z.output<typeof written>

/** What routes say, as one text: their ids are given anew whenever they are saved. */
export function sayingOf(routes: readonly object[]): string {
  return JSON.stringify(z.array(routeInput).safeParse(routes).data ?? null)
}

export type RoutesReading =
  | { readonly ok: true; readonly body: RoutesBody }
  /** What is wrong, by the names of the fields. */
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> }

/** What the fields say, as the route takes it. */
export function readRoutes(draft: RoutesDraft): RoutesReading {
  const read = written.safeParse({ routes: draft.routes.map(toRoute), routing: toRouting(draft.routing) })
  if (read.success) return { ok: true, body: read.data }
  const errors = read.error.issues.map(({ path: [part, ...rest] }) => {
    const name = String(rest.at(-1))
    if (part === 'routing') return errorOf(ROUTING_FIELDS[name] ?? name, '')
    const row = draft.routes[Number(rest[0])]?.row ?? 0
    return errorOf(ROUTE_FIELDS[name] ?? name, `${row}.`)
  })
  return { ok: false, errors: Object.fromEntries(errors) }
}

function errorOf(field: string, prefix: string): [string, string] {
  return [prefix + field, PROBLEMS[field] ?? 'This can not be so.']
}

function toRoute({ provider, upstreamModel, priority, weight, cost }: RouteDraft) {
  return {
    provider_id: provider,
    upstream_model: upstreamModel.trim(),
    priority: typedCount(priority),
    weight: typedCount(weight),
    cost: cost.trim() === '' ? null : typedNumber(cost),
  }
}

function toRouting({ order, attempts, seconds, retries }: RoutingDraft) {
  return {
    order,
    max_attempts: typedCount(attempts),
    max_ms: seconds.trim() === '' ? null : Math.round(typedNumber(seconds) * 1000),
    retries: typedCount(retries),
  }
}
