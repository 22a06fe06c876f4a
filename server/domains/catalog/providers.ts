import type { z } from 'zod'
import type { createProvider, ProviderKind, patchProvider } from '#contract/catalog.ts'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { providerTrial } from '#contract/provider-models.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { RACED, stillIs, untilUnraced } from '#domains/audit/careful-update.ts'
import type { Cipher } from '#lib/cipher.ts'
import type { Clock } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { Storage } from '#storage/storage.ts'
import type { ProviderRow } from '#storage/tables.ts'
import { toCatalogProvider } from './callable-providers.ts'
import type { Catalog } from './catalog.ts'
import { changeProviderRow } from './provider-change.ts'
import { replacedSecrets } from './provider-headers.ts'
import type { DEMO_KIND } from './provider-input.ts'
import { type ProviderRecord, toProviderRecord } from './provider-record.ts'
import { createProviderSecrets } from './provider-secrets.ts'
import type { CatalogProvider } from './snapshot.ts'

/** `kind` is wider than what administrators may ask for: the demonstration set-up comes through here too. */
export type NewProvider = Omit<z.infer<typeof createProvider>, 'kind'> & {
  readonly kind: ProviderKind | typeof DEMO_KIND
}
export type ProviderPatch = z.infer<typeof patchProvider>
export type ProviderTrial = z.infer<typeof providerTrial>

/** Where models are served. Each change is on the audit log, and in this node's snapshot when its promise resolves. */
export type Providers = {
  create(given: NewProvider, actor: Actor): Promise<Outcome<ProviderRecord, ServiceError>>
  /** Secrets stay with their server: with an address of another one they are given again, or taken away; else 400. */
  patch(id: string, patch: ProviderPatch, actor: Actor): Promise<Outcome<ProviderRecord, ServiceError>>
  /** Refused while a route points to the provider. */
  delete(id: string, actor: Actor): Promise<Outcome<null, ServiceError>>
  find(id: string): Promise<ProviderRecord | null>
  /** Newest first. */
  list(page: PageRequest): Promise<Page<ProviderRecord>>
  /** The provider as it is called, enabled or not; `unreadable` when its stored secrets don't open. */
  findCallable(id: string): Promise<CatalogProvider | 'unreadable' | null>
  /**
   * A provider as it would be called if it were saved like this. Secrets that are stored for one path of a server may so
   * reach another: that is on the audit log before anything is sent. Another server is refused them, as by `patch`.
   */
  draft(trial: ProviderTrial, actor: Actor): Promise<Outcome<CatalogProvider | 'unreadable', ServiceError>>
}

export type ProvidersOptions = {
  readonly storage: Storage
  readonly clock: Clock
  readonly cipher: Cipher
  readonly audit: Pick<Audit, 'entry'>
  readonly catalog: Pick<Catalog, 'announce'>
}

const NOT_FOUND = refusals.notFound('No such provider')

export function createProviders({ storage, clock, cipher, audit, catalog }: ProvidersOptions): Providers {
  const secrets = createProviderSecrets(cipher)
  const toRecord = (row: ProviderRow): ProviderRecord => toProviderRecord(row, secrets)
  const findRow = (id: string): Promise<ProviderRow | undefined> =>
    storage.db.selectFrom('providers').selectAll().where('id', '=', id).executeTakeFirst()

  async function patchOnce(
    id: string,
    patch: ProviderPatch,
    actor: Actor,
  ): Promise<Outcome<ProviderRecord, ServiceError> | typeof RACED> {
    const before = await findRow(id)
    if (!before) return refused(NOT_FOUND)
    const changed = changeProviderRow(before, patch, secrets)
    if (!changed.ok) return refused(refusals.invalid(changed.refusal))
    const after = toRecord(changed.value)
    const outcome = await storage.commit([
      {
        query: storage.db
          .updateTable('providers')
          .set(changed.value)
          .where('id', '=', id)
          .where(stillIs(before)),
        expectRows: 1,
      },
      audit.entry({
        actor,
        action: 'provider.update',
        target: { type: 'provider', id },
        before: toRecord(before),
        after: { ...after, ...replacements(patch) },
      }),
    ])
    if (outcome.kind === 'unmet') return RACED
    if (outcome.kind !== 'committed') return refused(nameTaken(changed.value.name))
    await catalog.announce()
    return accepted(after)
  }

  return {
    async create(given, actor) {
      const now = clock.now()
      const { kind, ...fields } = given
      const made = changeProviderRow(emptyRow(newId('prv', now), kind, now), fields, secrets)
      if (!made.ok) return refused(refusals.invalid(made.refusal))
      const record = toRecord(made.value)
      const outcome = await storage.commit([
        { query: storage.db.insertInto('providers').values(made.value), expectRows: 1 },
        audit.entry({
          actor,
          action: 'provider.create',
          target: { type: 'provider', id: record.id },
          after: record,
        }),
      ])
      if (outcome.kind !== 'committed') return refused(nameTaken(record.name))
      await catalog.announce()
      return accepted(record)
    },
    patch: (id, patch, actor) => untilUnraced(() => patchOnce(id, patch, actor)),
    async delete(id, actor) {
      const row = await findRow(id)
      if (!row) return refused(NOT_FOUND)
      const outcome = await storage.commit([
        { query: storage.db.deleteFrom('providers').where('id', '=', id), expectRows: 1 },
        audit.entry({
          actor,
          action: 'provider.delete',
          target: { type: 'provider', id },
          before: toRecord(row),
        }),
      ])
      if (outcome.kind === 'unmet') return refused(NOT_FOUND)
      if (outcome.kind !== 'committed') {
        return refused(refusals.conflict('Models have routes to this provider; take those away first'))
      }
      await catalog.announce()
      return accepted(null)
    },
    find: async id => {
      const row = await findRow(id)
      return row ? toRecord(row) : null
    },
    list: async page =>
      mapPage(await readNewest(storage.db.selectFrom('providers').selectAll(), page), toRecord),
    findCallable: async id => {
      const row = await findRow(id)
      return row ? (toCatalogProvider(row, secrets) ?? 'unreadable') : null
    },
    draft: async ({ provider_id: savedId, kind, ...fields }, actor) => {
      const saved = savedId === undefined ? emptyRow('prv_draft', kind, clock.now()) : await findRow(savedId)
      if (!saved) return refused(NOT_FOUND)
      if (saved.kind !== kind) return refused(refusals.invalid('kind: is not that of the saved provider'))
      const drafted = changeProviderRow(saved, fields, secrets)
      if (!drafted.ok) return refused(refusals.invalid(drafted.refusal))
      const { base_url } = drafted.value
      if (savedId !== undefined && base_url !== saved.base_url) {
        const target = { type: 'provider', id: savedId }
        const addresses = { before: { base_url: saved.base_url }, after: { base_url } }
        await storage.commit([audit.entry({ actor, action: 'provider.try', target, ...addresses })])
      }
      return accepted(toCatalogProvider(drafted.value, secrets) ?? 'unreadable')
    },
  }
}

/** A new secret looks like the old one in a record, so the log says that there was one. */
function replacements({ credential, further_credentials: further = [], headers = {} }: ProviderPatch) {
  const hasCredential = credential != null || further.some(each => each.credential !== undefined)
  const replaced = replacedSecrets(headers)
  return {
    ...(hasCredential ? { credential_replaced: true } : {}),
    ...(replaced.length > 0 ? { headers_replaced: replaced } : {}),
  }
}

function nameTaken(name: string): ServiceError {
  return refusals.conflict(`There is a provider named '${name}' already`)
}

function emptyRow(id: string, kind: string, now: number): ProviderRow {
  return {
    id,
    name: '',
    kind,
    base_url: '',
    credential_ciphertext: null,
    further_credentials_ciphertext: null,
    headers_ciphertext: null,
    connect_timeout_ms: null,
    first_byte_timeout_ms: null,
    idle_timeout_ms: null,
    endpoints_json: null,
    enabled: 1,
    created_at: now,
  }
}
