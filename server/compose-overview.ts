/** The part of the composition root that puts together how the service is: for the first page that operators see. */
import type { Overview } from '#contract/overview.ts'
import type { RestingRoute } from '#contract/resting-routes.ts'
import type { Catalog } from '#domains/catalog/catalog.ts'
import { isServing, type NodeRegister } from '#domains/nodes/node-register.ts'
import { readSoldCredits } from '#domains/orders/sold-credits.ts'
import { listIllProviders } from '#domains/provider-health/ill-providers.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import { createUpstreamCost } from '#domains/usage/upstream-cost.ts'
import type { Usage } from '#domains/usage/usage.ts'
import type { Clock } from '#lib/clock.ts'
import { decimalOfScaled, microsFromCredits, scaleDecimal, ZERO_MICROS } from '#lib/money.ts'
import type { Storage } from '#storage/storage.ts'
import type { ReadOverview } from './admin/overview.ts'
import { storesOf } from './http/health.ts'

export type OverviewParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly usage: Usage
  readonly settings: Pick<SettingsRegister, 'get'>
  readonly catalog: Pick<Catalog, 'current'>
  readonly register: Pick<NodeRegister, 'list'>
  readonly listResting: () => RestingRoute[]
  readonly redisState: () => 'ok' | 'down' | null
}

const CREDIT_DECIMALS = 6
const VALUE_DECIMALS = 12

export function composeOverview(parts: OverviewParts): ReadOverview {
  const { storage, usage, settings, register, catalog } = parts
  const readUpstreamCost = createUpstreamCost({ ...parts, currentCatalog: catalog.current })
  return async ({ from, to }) => {
    const report = await usage.report({ from, to, bucket: 'hour', top: 1 })
    if (!report.ok) return report
    const span = { from: report.value.from, to: report.value.to }
    const [stores, counts, nodes, ill_providers, sold, upstream_cost, { pricing }] = await Promise.all([
      storesOf(parts),
      readCounts(storage),
      register.list(),
      listIllProviders(parts),
      readSoldCredits(storage, { fromMs: Date.parse(span.from), toMs: Date.parse(span.to) }),
      readUpstreamCost(span),
      settings.get(),
    ])
    const { credits } = report.value.totals
    const value: Overview = {
      object: 'overview',
      ...span,
      in_flight: nodes.filter(isServing).reduce((sum, node) => sum + node.in_flight, 0),
      stores: { redis: null, ...stores },
      ...routesOf(parts),
      nodes,
      ill_providers,
      ...counts,
      sold,
      earned: { credits, usd: worthOf(credits, pricing.credit_usd) },
      upstream_cost,
    }
    return { ok: true, value }
  }
}

function routesOf({ catalog, listResting }: OverviewParts) {
  const models = [...catalog.current().models.values()]
  const routes = models.flatMap(model => model.routes)
  const names = new Map(routes.map(({ provider }) => [provider.id, provider.name]))
  return {
    models_without_route: models.filter(model => model.routes.length === 0).map(({ id }) => id),
    resting_routes: listResting().map(route => ({ ...route, provider: names.get(route.provider_id) ?? '' })),
  }
}

async function readCounts({ db }: Storage) {
  const [accounts, orders] = await Promise.all([
    db
      .selectFrom('accounts')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where('status', '=', 'active')
      .where('allocated_micros', '>', ZERO_MICROS)
      .whereRef('used_micros', '>=', 'allocated_micros')
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('orders')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where('state', '=', 'awaiting_payment')
      .executeTakeFirstOrThrow(),
  ])
  return { exhausted_accounts: Number(accounts.count), waiting_orders: Number(orders.count) }
}

/** Credits in US dollars at the value of one, as an exact decimal. */
function worthOf(credits: number, creditUsd: number): string {
  const amount = microsFromCredits(credits) ?? 0n
  const value = scaleDecimal(creditUsd, VALUE_DECIMALS) ?? 0n
  return decimalOfScaled(amount * value, CREDIT_DECIMALS + VALUE_DECIMALS)
}
