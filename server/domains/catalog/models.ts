import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { RACED, stillIs, untilUnraced } from '#domains/audit/careful-update.ts'
import type { Clock } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { Catalog } from './catalog.ts'
import { findOutdated, type ModelBasis } from './model-basis.ts'
import {
  changeModelRow,
  emptyModelRow,
  type ModelPatch,
  makeModelRow,
  type NewModel,
} from './model-change.ts'
import { listModels } from './model-list.ts'
import { type ModelRecord, toModelRecord } from './model-record.ts'
import { findRouteProblem, readRoutes, replaceRoutes, routesStillAre, toRouteRows } from './model-routes.ts'

/** What can be called. Each change is on the audit log, and in this node's snapshot when its promise resolves. */
export type Models = {
  create(given: NewModel, actor: Actor): Promise<Outcome<ModelRecord, ServiceError>>
  /** All of them, or none. */
  createAll(given: readonly NewModel[], actor: Actor): Promise<Outcome<ModelRecord[], ServiceError>>
  /** Routes, where given, take the place of all that there were. 409 what the patch is based on was changed meanwhile. */
  patch(id: string, patch: ModelPatch, actor: Actor): Promise<Outcome<ModelRecord, ServiceError>>
  delete(id: string, actor: Actor): Promise<Outcome<null, ServiceError>>
  find(id: string): Promise<ModelRecord | null>
  /** The model, if it is still what something was worked out from. 404 no such model, 409 it was changed meanwhile. */
  findUnchanged(id: string, basis: ModelBasis | undefined): Promise<Outcome<ModelRecord, ServiceError>>
  /** The ids of the models that have a route to a provider, by the provider's names for them. */
  findByUpstream(providerId: string): Promise<ReadonlyMap<string, string[]>>
  /** Newest first. */
  list(page: PageRequest): Promise<Page<ModelRecord>>
}

export type ModelsOptions = {
  readonly storage: Storage
  readonly clock: Clock
  readonly audit: Pick<Audit, 'entry'>
  readonly catalog: Pick<Catalog, 'announce'>
}

const NOT_FOUND = refusals.notFound('No such model')
const PROVIDER_GONE = refusals.invalid('routes.provider_id: there is no such provider')

export function createModels({ storage, clock, audit, catalog }: ModelsOptions): Models {
  async function read(id: string) {
    const row = await storage.db.selectFrom('models').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return null
    const routes = (await readRoutes(storage, [id])).get(id) ?? []
    return { row, record: toModelRecord(row, routes), routes }
  }

  async function patchOnce(
    id: string,
    patch: ModelPatch,
    actor: Actor,
  ): Promise<Outcome<ModelRecord, ServiceError> | typeof RACED> {
    const before = await read(id)
    if (!before) return refused(NOT_FOUND)
    const outdated = findOutdated(before.row, before.routes, patch.based_on)
    if (outdated) return refused(outdated)
    const changed = changeModelRow(before.row, patch)
    if (!changed.ok) return refused(refusals.invalid(changed.refusal))
    const given = patch.routes && toRouteRows(id, patch.routes, clock.now())
    const problem = given ? await findRouteProblem(storage, given) : null
    if (problem !== null) return refused(refusals.invalid(problem))
    const record = toModelRecord(changed.value, given ?? before.routes)
    const outcome = await storage.commit([
      {
        query: storage.db
          .updateTable('models')
          .set(changed.value)
          .where('id', '=', id)
          .where(stillIs(before.row))
          .where(routesStillAre(id, before.routes)),
        expectRows: 1,
      },
      ...(given ? replaceRoutes(storage, id, given) : []),
      audit.entry({
        actor,
        action: 'model.update',
        target: { type: 'model', id },
        before: before.record,
        after: record,
      }),
    ])
    if (outcome.kind === 'unmet') return RACED
    if (outcome.kind !== 'committed') return refused(PROVIDER_GONE)
    await catalog.announce()
    return accepted(record)
  }

  async function prepare(
    { id, ...given }: NewModel,
    actor: Actor,
  ): Promise<Outcome<{ record: ModelRecord; statements: Statement[] }, ServiceError>> {
    const now = clock.now()
    const made = makeModelRow(emptyModelRow(id, now), given)
    if (!made.ok) return refused(refusals.invalid(made.refusal))
    const routes = toRouteRows(id, given.routes ?? [], now)
    const problem = await findRouteProblem(storage, routes)
    if (problem !== null) return refused(refusals.invalid(problem))
    const record = toModelRecord(made.value, routes)
    const statements = [
      { query: storage.db.insertInto('models').values(made.value), expectRows: 1 },
      ...replaceRoutes(storage, id, routes),
      audit.entry({ actor, action: 'model.create', target: { type: 'model', id }, after: record }),
    ]
    return accepted({ record, statements })
  }

  async function createAll(
    given: readonly NewModel[],
    actor: Actor,
  ): Promise<Outcome<ModelRecord[], ServiceError>> {
    const all = []
    for (const each of given) {
      const prepared = await prepare(each, actor)
      if (!prepared.ok) return prepared
      all.push(prepared.value)
    }
    const outcome = await storage.commit(all.flatMap(({ statements }) => statements))
    if (outcome.kind === 'duplicate') return refused(await alreadyThere(storage, given))
    if (outcome.kind !== 'committed') return refused(PROVIDER_GONE)
    await catalog.announce()
    return accepted(all.map(({ record }) => record))
  }

  return {
    async create(given, actor) {
      const made = await createAll([given], actor)
      if (!made.ok) return made
      const [record] = made.value
      if (!record) throw new Error('A model that was made has no record')
      return accepted(record)
    },
    createAll,
    patch: (id, patch, actor) => untilUnraced(() => patchOnce(id, patch, actor)),
    async delete(id, actor) {
      const before = await read(id)
      if (!before) return refused(NOT_FOUND)
      const outcome = await storage.commit([
        { query: storage.db.deleteFrom('models').where('id', '=', id), expectRows: 1 },
        audit.entry({
          actor,
          action: 'model.delete',
          target: { type: 'model', id },
          before: before.record,
        }),
      ])
      if (outcome.kind !== 'committed') return refused(NOT_FOUND)
      await catalog.announce()
      return accepted(null)
    },
    find: async id => (await read(id))?.record ?? null,
    findUnchanged: async (id, basis) => {
      const found = await read(id)
      if (!found) return refused(NOT_FOUND)
      const outdated = findOutdated(found.row, found.routes, basis)
      return outdated ? refused(outdated) : accepted(found.record)
    },
    findByUpstream: async providerId => {
      const rows = await storage.db
        .selectFrom('model_routes')
        .select(['upstream_model', 'model_id'])
        .where('provider_id', '=', providerId)
        .orderBy('model_id')
        .execute()
      const grouped = Map.groupBy(rows, row => row.upstream_model)
      return new Map(
        [...grouped].map(([name, found]) => [name, [...new Set(found.map(row => row.model_id))]]),
      )
    },
    list: page => listModels(storage, page),
  }
}

/** Names the first id that is taken: by a model that is there, or twice among those that are to be made. */
async function alreadyThere({ db }: Storage, given: readonly NewModel[]): Promise<ServiceError> {
  const ids = given.map(model => model.id)
  const taken = await db.selectFrom('models').select('id').where('id', 'in', ids).executeTakeFirst()
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  return refusals.conflict(
    taken ? `There is a model '${taken.id}' already` : `The id '${twice ?? ids[0]}' is given twice`,
  )
}
