import { type EndpointName, UNIT_OF } from '#contract/usage.ts'
import { type PinnedUnitWeights, pinUnitWeights, unitWeightsFromJson } from '#domains/billing/unit-weights.ts'
import { pinWeights } from '#domains/billing/weights.ts'
import { weightsFromJson } from '#domains/billing/weights-text.ts'
import type { ModelRow } from '#storage/tables.ts'
import type { Log } from '#telemetry/log.ts'
import { openProviders, toRoutes } from './callable-providers.ts'
import type { CatalogRows } from './catalog-rows.ts'
import { toPublishedEntry } from './model-record.ts'
import { toCatalogRouting } from './model-routing.ts'
import { toPackage } from './package-record.ts'
import type { ProviderSecrets } from './provider-secrets.ts'
import type { PublishedCatalog, PublishedModel } from './published.ts'
import type { CatalogModel, CatalogSnapshot } from './snapshot.ts'

/** What the gateway and the public catalogue know, both as of one reading. */
export type LoadedCatalog = CatalogSnapshot & { readonly published: PublishedCatalog }

export const EMPTY_CATALOG: LoadedCatalog = {
  models: new Map(),
  published: { models: new Map(), packages: [] },
}

/** Builds the catalogue from its rows. What can't be used is left out and logged; nothing here throws for one row. */
export function buildCatalog(rows: CatalogRows, secrets: ProviderSecrets, log: Log): LoadedCatalog {
  const providers = openProviders(rows.providers, secrets, log)
  const routes = Map.groupBy(rows.routes, route => route.model_id)
  const models = new Map<string, CatalogModel>()
  const published = new Map<string, PublishedModel>()
  for (const row of rows.models) {
    if (row.enabled !== 1 || row.weights_json === null) continue
    const weights = pinWeights(weightsFromJson(row.weights_json))
    if (weights === null) {
      log.error({ model: row.id }, 'the weights of a model can not be read; it is left out')
      continue
    }
    const unitWeights = pinUnitWeights(unitWeightsFromJson(row.unit_weights_json))
    const model: CatalogModel = {
      id: row.id,
      endpoints: endpointsOf(row, unitWeights),
      weights,
      weightsJson: row.weights_json,
      unitWeights,
      routes: (routes.get(row.id) ?? []).flatMap(route => toRoutes(route, providers)),
      routing: toCatalogRouting(row.routing_json),
    }
    models.set(row.id, model)
    published.set(row.id, {
      entry: toPublishedEntry(row, weights.given),
      deprecated: row.deprecated === 1,
      routed: model.routes.length > 0,
    })
  }
  const packages = rows.packages.filter(row => row.on_sale === 1).map(toPackage)
  return { models, published: { models: published, packages } }
}

/** The conversation in other words: a model that serves chat serves these as well. */
const OTHER_DIALECTS: readonly EndpointName[] = ['messages', 'responses']

function endpointsOf(row: ModelRow, unitWeights: PinnedUnitWeights): CatalogModel['endpoints'] {
  // Written by this domain alone, from a checked list.
  const all = JSON.parse(row.endpoints_json) as EndpointName[]
  // Unpriced is never free: what has no weight is not served.
  const named = all.filter(name => {
    const unit = UNIT_OF[name]
    return unit === undefined || unitWeights.has(unit)
  })
  return new Set([...named, ...(named.includes('chat') ? OTHER_DIALECTS : [])])
}
