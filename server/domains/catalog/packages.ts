import type { z } from 'zod'
import type { createPackage, patchPackage } from '#contract/catalog.ts'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { RACED, stillIs, untilUnraced } from '#domains/audit/careful-update.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { ZERO_MICROS } from '#lib/money.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { Storage } from '#storage/storage.ts'
import type { PackageRow } from '#storage/tables.ts'
import type { Catalog } from './catalog.ts'
import { changePackageRow } from './package-change.ts'
import { type PackageRecord, toPackageRecord } from './package-record.ts'

export type NewPackage = z.infer<typeof createPackage>
export type PackagePatch = z.infer<typeof patchPackage>

/** Credits as they are sold. Each change is on the audit log, and in this node's snapshot when its promise resolves. */
export type Packages = {
  create(given: NewPackage, actor: Actor): Promise<Outcome<PackageRecord, ServiceError>>
  patch(id: string, patch: PackagePatch, actor: Actor): Promise<Outcome<PackageRecord, ServiceError>>
  delete(id: string, actor: Actor): Promise<Outcome<null, ServiceError>>
  find(id: string): Promise<PackageRecord | null>
  /** Newest first. */
  list(page: PageRequest): Promise<Page<PackageRecord>>
}

export type PackagesOptions = {
  readonly storage: Storage
  readonly clock: Clock
  readonly audit: Pick<Audit, 'entry'>
  readonly catalog: Pick<Catalog, 'announce'>
}

const NOT_FOUND = refusals.notFound('No such package')

export function createPackages({ storage, clock, audit, catalog }: PackagesOptions): Packages {
  const findRow = (id: string): Promise<PackageRow | undefined> =>
    storage.db.selectFrom('packages').selectAll().where('id', '=', id).executeTakeFirst()

  async function patchOnce(
    id: string,
    patch: PackagePatch,
    actor: Actor,
  ): Promise<Outcome<PackageRecord, ServiceError> | typeof RACED> {
    const before = await findRow(id)
    if (!before) return refused(NOT_FOUND)
    const changed = changePackageRow(before, patch)
    if (!changed.ok) return refused(refusals.invalid(changed.refusal))
    const record = toPackageRecord(changed.value)
    const outcome = await storage.commit([
      {
        query: storage.db
          .updateTable('packages')
          .set(changed.value)
          .where('id', '=', id)
          .where(stillIs(before)),
        expectRows: 1,
      },
      audit.entry({
        actor,
        action: 'package.update',
        target: { type: 'package', id },
        before: toPackageRecord(before),
        after: record,
      }),
    ])
    if (outcome.kind !== 'committed') return RACED
    await catalog.announce()
    return accepted(record)
  }

  return {
    async create(given, actor) {
      const now = clock.now()
      const made = changePackageRow(emptyPackageRow(newId('pkg', now), now), given)
      if (!made.ok) return refused(refusals.invalid(made.refusal))
      const record = toPackageRecord(made.value)
      const outcome = await storage.commit([
        { query: storage.db.insertInto('packages').values(made.value), expectRows: 1 },
        audit.entry({
          actor,
          action: 'package.create',
          target: { type: 'package', id: record.id },
          after: record,
        }),
      ])
      if (outcome.kind !== 'committed') throw new Error(`A new package could not be stored: ${outcome.kind}`)
      await catalog.announce()
      return accepted(record)
    },
    patch: (id, patch, actor) => untilUnraced(() => patchOnce(id, patch, actor)),
    async delete(id, actor) {
      const row = await findRow(id)
      if (!row) return refused(NOT_FOUND)
      const outcome = await storage.commit([
        { query: storage.db.deleteFrom('packages').where('id', '=', id), expectRows: 1 },
        audit.entry({
          actor,
          action: 'package.delete',
          target: { type: 'package', id },
          before: toPackageRecord(row),
        }),
      ])
      if (outcome.kind === 'reference') {
        return refused(refusals.conflict('Orders name this package; take it off sale instead'))
      }
      if (outcome.kind !== 'committed') return refused(NOT_FOUND)
      await catalog.announce()
      return accepted(null)
    },
    find: async id => {
      const row = await findRow(id)
      return row ? toPackageRecord(row) : null
    },
    list: async page =>
      mapPage(await readNewest(storage.db.selectFrom('packages').selectAll(), page), toPackageRecord),
  }
}

function emptyPackageRow(id: string, now: number): PackageRow {
  return {
    id,
    name: '',
    credits_micros: ZERO_MICROS,
    price_minor: 0,
    currency: '',
    on_sale: 1,
    position: 0,
    created_at: now,
  }
}
