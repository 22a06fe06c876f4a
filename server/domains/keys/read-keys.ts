import type { ApiKeyRecord, KeyLimits } from '#contract/keys.ts'
import { mapPage, type Page, type PageRequest } from '#lib/page.ts'
import { containsText } from '#storage/contains-text.ts'
import { readNewest } from '#storage/read-newest.ts'
import type { Storage } from '#storage/storage.ts'
import type { ApiKeyRow } from '#storage/tables.ts'
import { toKeyRecord } from './key-record.ts'

export type KeyFilter = {
  readonly userId?: string
  readonly accountId?: string
  /** Those whose name, hint or id contains a text. */
  readonly search?: string
  /** Those that are not revoked. */
  readonly live?: true
}

/** Everything but the hash of the token, which only the lookup by token needs. */
const COLUMNS = [
  'api_keys.id',
  'api_keys.user_id',
  'api_keys.name',
  'api_keys.hint',
  'api_keys.limit_requests',
  'api_keys.limit_window_seconds',
  'api_keys.limit_concurrency',
  'api_keys.models_json',
  'api_keys.spending_cap_micros',
  'api_keys.spending_cap_period',
  'api_keys.created_at',
  'api_keys.last_used_at',
  'api_keys.expires_at',
  'api_keys.revoked_at',
] as const

const SEARCHED = ['api_keys.name', 'api_keys.hint', 'api_keys.id']

export async function findKey({ db }: Storage, id: string): Promise<Omit<ApiKeyRow, 'token_hash'> | null> {
  const row = await db.selectFrom('api_keys').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

export type KeyListing = {
  readonly filter: KeyFilter
  readonly page: PageRequest
  readonly defaults: KeyLimits
}

/** Keys, newest first, revoked ones among them. */
export async function listKeys(
  { db }: Storage,
  { filter, page, defaults }: KeyListing,
): Promise<Page<ApiKeyRecord>> {
  let query = db.selectFrom('api_keys').select(COLUMNS)
  if (filter.userId !== undefined) query = query.where('api_keys.user_id', '=', filter.userId)
  if (filter.live) query = query.where('api_keys.revoked_at', 'is', null)
  if (filter.accountId !== undefined) {
    const members = db.selectFrom('users').select('users.id').where('users.account_id', '=', filter.accountId)
    query = query.where('api_keys.user_id', 'in', members)
  }
  if (filter.search !== undefined) query = query.where(containsText(SEARCHED, filter.search))
  return mapPage(await readNewest(query, page), row => toKeyRecord(row, defaults))
}
