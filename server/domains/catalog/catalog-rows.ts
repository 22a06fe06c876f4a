import { hash } from 'node:crypto'
import type { Storage } from '#storage/storage.ts'
import type { ModelRouteRow, ModelRow, PackageRow, ProviderRow } from '#storage/tables.ts'

/** All that the catalogue is made from, each list in a fixed order. */
export type CatalogRows = {
  readonly providers: readonly ProviderRow[]
  readonly models: readonly ModelRow[]
  /** By model, and within a model in the order in which they go. */
  readonly routes: readonly ModelRouteRow[]
  readonly packages: readonly PackageRow[]
}

/**
 * Reads the catalogue. The four readings may see a change that comes between them in part: that change is announced
 * after its commit, so another reading follows, and until then a route without its model or provider is left out.
 */
export async function readCatalogRows({ db }: Pick<Storage, 'db'>): Promise<CatalogRows> {
  const [providers, models, routes, packages] = await Promise.all([
    db.selectFrom('providers').selectAll().orderBy('id').execute(),
    db.selectFrom('models').selectAll().orderBy('id').execute(),
    db
      .selectFrom('model_routes')
      .selectAll()
      .orderBy('model_id')
      .orderBy('priority')
      .orderBy('position')
      .execute(),
    db
      .selectFrom('packages')
      .selectAll()
      .orderBy('position')
      .orderBy('credits_micros')
      .orderBy('id')
      .execute(),
  ])
  return { providers, models, routes, packages }
}

/** A text that is the same for the same rows, and else another. */
export function fingerprint(rows: CatalogRows): string {
  const json = JSON.stringify(rows, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
  return hash('sha256', json, 'base64url')
}
