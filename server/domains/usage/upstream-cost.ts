import { setImmediate } from 'node:timers/promises'
import type { Overview } from '#contract/overview.ts'
import type { EndpointName } from '#contract/usage.ts'
import type { UsageGroup } from '#contract/usage-report.ts'
import {
  type FindListPrice,
  loadListPrices,
  PRICE_DECIMALS,
  priceListOf,
} from '#domains/catalog/list-price.ts'
import type { CatalogRoute, CatalogSnapshot } from '#domains/catalog/snapshot.ts'
import type { Clock } from '#lib/clock.ts'
import { decimalOfScaled, scaleDecimal } from '#lib/money.ts'
import type { Usage } from './usage.ts'

/** Prices are for a million tokens: these are the places of what one token costs. */
const PER_TOKEN_DECIMALS = PRICE_DECIMALS + 6
const BUCKETS = ['input', 'cache_read', 'cache_write', 'output'] as const

export type UpstreamCostParts = {
  readonly usage: Pick<Usage, 'report'>
  readonly currentCatalog: () => CatalogSnapshot
  readonly clock: Pick<Clock, 'now'>
}

export type CostSpan = { readonly from: string; readonly to: string }

/**
 * What the requests of a span cost upstream at the list prices of today, from the roll-ups: by the route that each model
 * has to each provider. An estimate for the operator; tiers of prices and units beside tokens are no part of it.
 */
export type ReadUpstreamCost = (span: CostSpan) => Promise<Overview['upstream_cost']>

export function createUpstreamCost({ usage, currentCatalog, clock }: UpstreamCostParts): ReadUpstreamCost {
  async function groupsOf(span: CostSpan, by: { provider?: string }): Promise<readonly UsageGroup[]> {
    const group_by = by.provider === undefined ? 'provider' : 'model'
    const outcome = await usage.report({ ...span, ...by, bucket: 'hour', group_by, top: 1 })
    // The span was read by the same rules before.
    if (!outcome.ok) throw new Error(outcome.refusal.message)
    return outcome.value.groups
  }

  return async span => {
    const findPrice = await loadListPrices(clock.now())
    const providers = await groupsOf(span, {})
    let units = 0n
    let priced = 0
    let unpriced = 0
    for (const { provider } of providers) {
      if (typeof provider !== 'string') continue
      for (const group of await groupsOf(span, { provider })) {
        // Looking a price up takes a while; others have their turn on the event loop.
        await setImmediate()
        const served = findServed(currentCatalog(), { provider, model: group.model })
        const cost = served && costOf(group, served, findPrice)
        if (cost === null) unpriced += group.succeeded
        else priced += group.succeeded
        units += cost ?? 0n
      }
    }
    return {
      usd: decimalOfScaled(units, PER_TOKEN_DECIMALS),
      priced_requests: priced,
      unpriced_requests: unpriced,
    }
  }
}

type RouteQuestion = { readonly provider: string; readonly model: string | null | undefined }

/** A model's route to a provider, and what is asked of it there. */
type Served = { readonly route: CatalogRoute; readonly endpoint: EndpointName }

function findServed({ models }: CatalogSnapshot, { provider, model }: RouteQuestion): Served | null {
  const found = typeof model === 'string' ? models.get(model) : undefined
  const route = found?.routes.find(({ provider: { name } }) => name === provider)
  if (!found || !route) return null
  const embeds = found.endpoints.has('embeddings') && !found.endpoints.has('chat')
  return { route, endpoint: embeds ? 'embeddings' : 'chat' }
}

/** In units of `10^-PER_TOKEN_DECIMALS` US dollars; null where the price list does not know the model. */
function costOf(group: UsageGroup, { route, endpoint }: Served, findPrice: FindListPrice): bigint | null {
  const { provider, upstreamModel } = route
  const list = priceListOf({ kind: provider.kind, base_url: provider.baseUrl })
  if (list === null) return null
  const listed = findPrice({ provider: list, model: upstreamModel, endpoint })
  if (!listed?.weights) return null
  let units = 0n
  for (const bucket of BUCKETS) {
    const price = scaleDecimal(listed.weights[bucket], PRICE_DECIMALS)
    if (price === null) return null
    units += BigInt(group.usage[bucket]) * price
  }
  return units
}
