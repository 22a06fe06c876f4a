import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { routeInput } from '#contract/catalog.ts'
import { newId } from '#lib/id.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { ModelRouteRow } from '#storage/tables.ts'

type RouteInput = z.input<typeof routeInput>

/** The routes of a model as they will be kept, in the order in which they were given. */
export function toRouteRows(modelId: string, routes: readonly RouteInput[], now: number): ModelRouteRow[] {
  return routes.map(({ provider_id, upstream_model, priority = 0, weight = 1, cost }, position) => ({
    id: newId('rte', now),
    model_id: modelId,
    provider_id,
    upstream_model,
    priority,
    weight,
    cost: cost == null ? null : String(cost),
    position,
  }))
}

/** Names the first route that points to a provider that does not exist; null when all are there. */
export async function findRouteProblem(
  { db }: Pick<Storage, 'db'>,
  routes: readonly ModelRouteRow[],
): Promise<string | null> {
  if (routes.length === 0) return null
  const ids = [...new Set(routes.map(route => route.provider_id))]
  const found = await db.selectFrom('providers').select('id').where('id', 'in', ids).execute()
  const known = new Set(found.map(row => row.id))
  const missing = routes.findIndex(route => !known.has(route.provider_id))
  return missing === -1 ? null : `routes.${missing}.provider_id: there is no such provider`
}

/** The writes that put routes in the place of whatever the model had. */
export function replaceRoutes(
  { db }: Pick<Storage, 'db'>,
  modelId: string,
  routes: readonly ModelRouteRow[],
): Statement[] {
  const clear: Statement = { query: db.deleteFrom('model_routes').where('model_id', '=', modelId) }
  if (routes.length === 0) return [clear]
  return [clear, { query: db.insertInto('model_routes').values([...routes]), expectRows: routes.length }]
}

/** A condition that holds as long as a model has these routes and no others; routes are replaced, never changed. */
export function routesStillAre(modelId: string, routes: readonly ModelRouteRow[]) {
  const ofModel = sql`from model_routes where model_id = ${modelId}`
  const ids = routes.map(route => route.id)
  const isThere = ids.length === 0 ? sql`1 = 0` : sql`id in (${sql.join(ids)})`
  return sql<SqlBool>`(select count(*) ${ofModel}) = ${routes.length}
    and (select count(*) ${ofModel} and ${isThere}) = ${routes.length}`
}

/** The routes of some models, each list in the order in which it was given. */
export async function readRoutes(
  { db }: Pick<Storage, 'db'>,
  modelIds: readonly string[],
): Promise<ReadonlyMap<string, ModelRouteRow[]>> {
  if (modelIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('model_routes')
    .selectAll()
    .where('model_id', 'in', modelIds)
    .orderBy('position')
    .execute()
  return Map.groupBy(rows, row => row.model_id)
}
