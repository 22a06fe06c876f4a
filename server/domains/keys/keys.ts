import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { ApiKeyRecord, createdApiKey, KeyLimits } from '#contract/keys.ts'
import type { Actor, Audit } from '#domains/audit/audit.ts'
import { RACED, stillIs, untilUnraced } from '#domains/audit/careful-update.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Changes } from '#lib/changes.ts'
import { type Clock, rfc3339 } from '#lib/clock.ts'
import { newId } from '#lib/id.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import type { ApiKeyRow } from '#storage/tables.ts'
import { readExpiry } from './expiry.ts'
import { limitColumns, toKeyRecord } from './key-record.ts'
import { type GivenRules, ruleColumns } from './key-rules.ts'
import { findKey, type KeyFilter, listKeys } from './read-keys.ts'
import { hashToken, issueToken, tokenHint } from './token.ts'

const MAX_LIVE_KEYS_PER_USER = 100

export type CreatedApiKey = z.infer<typeof createdApiKey>

export type NewKey = GivenRules & {
  readonly userId: string
  readonly name: string
  readonly limits?: Partial<KeyLimits>
  /** RFC 3339. */
  readonly expiresAt?: string | null
}

export type KeyPatch = GivenRules & {
  readonly name?: string
  readonly limits?: Partial<KeyLimits>
  /** RFC 3339; null takes the expiry away. */
  readonly expiresAt?: string | null
}

/** Whose key it must be; or an administrator, who may touch any, and is named on the audit log. */
export type KeyOwner = { readonly userId: string } | { readonly administrator: Actor }

export type Keys = {
  /** 404 no such user, 400 an expiry that has passed, 409 too many live keys or a closed account. */
  create(key: NewKey, by: KeyOwner): Promise<Outcome<CreatedApiKey, ServiceError>>
  list(filter: KeyFilter, page: PageRequest): Promise<Page<ApiKeyRecord>>
  /** 404 no such key of this owner, 400 an expiry that has passed, 409 revoked. */
  patch(id: string, patch: KeyPatch, by: KeyOwner): Promise<Outcome<ApiKeyRecord, ServiceError>>
  /**
   * 404 no such key of this owner, 409 revoked already. Of any number at once exactly one succeeds, and when it does the
   * key is dead on this node.
   */
  revoke(id: string, by: KeyOwner): Promise<Outcome<null, ServiceError>>
}

export type KeysParts = {
  readonly storage: Storage
  readonly clock: Clock
  readonly changes: Changes
  readonly settings: SettingsRegister
  readonly audit: Audit
}

export function createKeys({ storage, clock, changes, settings, audit }: KeysParts): Keys {
  const { db } = storage

  /** The audit entry of a change that an administrator makes; a user's own changes are not on that log. */
  function audited(by: KeyOwner, action: string, before?: ApiKeyRecord, after?: ApiKeyRecord): Statement[] {
    const id = (after ?? before)?.id
    if (!('administrator' in by) || id === undefined) return []
    return [audit.entry({ actor: by.administrator, action, target: { type: 'key', id }, before, after })]
  }

  /** Another user's key is not told apart from none. */
  async function findOwned(id: string, by: KeyOwner) {
    const row = await findKey(storage, id)
    return row && 'userId' in by && row.user_id !== by.userId ? null : row
  }

  async function create(key: NewKey, by: KeyOwner): Promise<Outcome<CreatedApiKey, ServiceError>> {
    const now = clock.now()
    const expiry = readExpiry(key.expiresAt ?? null, now)
    if (!expiry.ok) return expiry
    const rules = ruleColumns(key)
    if (!rules.ok) return rules
    const token = issueToken()
    const row: ApiKeyRow = {
      id: newId('key', now),
      user_id: key.userId,
      name: key.name,
      hint: tokenHint(token),
      token_hash: hashToken(token),
      limit_requests: null,
      limit_window_seconds: null,
      limit_concurrency: null,
      models_json: null,
      spending_cap_micros: null,
      spending_cap_period: null,
      ...limitColumns(key.limits ?? {}),
      ...rules.value,
      created_at: now,
      last_used_at: null,
      expires_at: expiry.value,
      revoked_at: null,
    }
    const record = toKeyRecord(row, (await settings.get()).default_limits)
    const outcome = await storage.commit([
      userHasRoom(storage, key.userId),
      { query: db.insertInto('api_keys').values(row), expectRows: 1 },
      ...audited(by, 'key.create', undefined, record),
    ])
    if (outcome.kind === 'committed') {
      changes.publish({ kind: 'key', keyId: row.id })
      return accepted({ ...record, token })
    }
    const user = await db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select('accounts.closed_at')
      .where('users.id', '=', key.userId)
      .executeTakeFirst()
    if (!user) return refused(refusals.notFound('No such user'))
    if (user.closed_at !== null) return refused(refusals.conflict("This user's account is closed"))
    return refused(refusals.conflict(`A user can hold ${MAX_LIVE_KEYS_PER_USER} keys that are not revoked`))
  }

  async function patchOnce(
    id: string,
    { name, limits, expiresAt, ...given }: KeyPatch,
    by: KeyOwner,
  ): Promise<Outcome<ApiKeyRecord, ServiceError> | typeof RACED> {
    const row = await findOwned(id, by)
    if (!row) return refused(noSuchKey())
    const expiry = expiresAt === undefined ? null : readExpiry(expiresAt, clock.now())
    if (expiry?.ok === false) return expiry
    const rules = ruleColumns(given)
    if (!rules.ok) return rules
    const columns = {
      ...(name === undefined ? {} : { name }),
      ...limitColumns(limits ?? {}),
      ...rules.value,
      ...(expiry === null ? {} : { expires_at: expiry.value }),
    }
    const defaults = (await settings.get()).default_limits
    const before = toKeyRecord(row, defaults)
    const after = toKeyRecord({ ...row, ...columns }, defaults)
    if (row.revoked_at !== null) return refused(alreadyRevoked())
    if (Object.keys(columns).length === 0) return accepted(before)
    // All but when it was last used: a busy key would never stand still.
    const { last_used_at: _, ...read } = row
    const query = db.updateTable('api_keys').set(columns).where('id', '=', id).where(stillIs(read))
    const outcome = await storage.commit([
      { query, expectRows: 1 },
      ...audited(by, 'key.update', before, after),
    ])
    if (outcome.kind !== 'committed') return RACED
    changes.publish({ kind: 'key', keyId: id })
    return accepted(after)
  }

  async function revoke(id: string, by: KeyOwner): Promise<Outcome<null, ServiceError>> {
    const row = await findOwned(id, by)
    if (!row) return refused(noSuchKey())
    if (row.revoked_at !== null) return refused(alreadyRevoked())
    const now = clock.now()
    const before = toKeyRecord(row, (await settings.get()).default_limits)
    const query = db
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
    const outcome = await storage.commit([
      { query, expectRows: 1 },
      ...audited(by, 'key.revoke', before, { ...before, revoked_at: rfc3339(now) }),
    ])
    if (outcome.kind !== 'committed') return refused(alreadyRevoked())
    changes.publish({ kind: 'key', keyId: id })
    return accepted(null)
  }

  return {
    create,
    patch: (id, patch, by) => untilUnraced(() => patchOnce(id, patch, by)),
    revoke,
    list: async (filter, page) =>
      listKeys(storage, { filter, page, defaults: (await settings.get()).default_limits }),
  }
}

function noSuchKey(): ServiceError {
  return refusals.notFound('No such key')
}

function alreadyRevoked(): ServiceError {
  return refusals.conflict('This key is revoked')
}

/** Changes nothing, and one row: the unit fails when there is no such user, one of a closed account or with too many keys. */
function userHasRoom({ db }: Storage, userId: string): Statement {
  const query = db
    .updateTable('users')
    .set(eb => ({ name: eb.ref('users.name') }))
    .where('users.id', '=', userId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('accounts')
          .select('accounts.id')
          .whereRef('accounts.id', '=', 'users.account_id')
          .where('accounts.closed_at', 'is', null),
      ),
    )
    .where(
      eb =>
        eb
          .selectFrom('api_keys')
          .select(inner => inner.fn.countAll<number>().as('held'))
          .where('api_keys.user_id', '=', userId)
          .where('api_keys.revoked_at', 'is', null),
      '<',
      MAX_LIVE_KEYS_PER_USER,
    )
  return { query, expectRows: 1 }
}
