import { refusals, type ServiceError } from '#contract/errors.ts'
import { findTimeOfId, firstIdAt } from '#lib/id.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { mapPage, type Page, type PageRequest, takePage } from '#lib/page.ts'
import type { Storage } from '#storage/storage.ts'
import type { RequestRow } from '#storage/tables.ts'
import { findRequestHours, type RequestFilter, type TimeSpan } from './request-hours.ts'
import { readReceipt } from './request-receipt.ts'
import { type RequestDetail, type RequestRecord, toRequestRecord } from './request-record.ts'

/** What is left out does not matter; times are RFC 3339 or dates, `to` is not part of the span. */
export type RequestSearch = RequestFilter & {
  readonly id?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export type RequestRecords = {
  /** The requests that fit, newest first. */
  list(search: RequestSearch, page: PageRequest): Promise<Page<RequestRecord>>
  /** The rows of the same, a few at a time. */
  readAll(search: RequestSearch): AsyncIterable<readonly RequestRow[]>
  /** One request with its receipt; 404 when there is none, or it is of another account than `accountId`. */
  get(id: string, accountId?: string): Promise<Outcome<RequestDetail, ServiceError>>
}

const ROWS_AT_A_TIME = 200
/** The end of the year 9999: no request is later, and identifiers can tell it. */
const END_OF_TIME_MS = 253_402_300_800_000

export function createRequestRecords({ storage }: { readonly storage: Storage }): RequestRecords {
  return {
    list: async (search, { limit, after }) => {
      const rows = await readRows(storage, search, { limit: limit + 1, after })
      return mapPage(
        takePage(rows, limit, row => row.id),
        toRequestRecord,
      )
    },
    readAll: async function* (search) {
      for (let after: string | null = null; ; ) {
        const rows: readonly RequestRow[] = await readRows(storage, search, { limit: ROWS_AT_A_TIME, after })
        if (rows.length > 0) yield rows
        if (rows.length < ROWS_AT_A_TIME) return
        after = rows.at(-1)?.id ?? null
      }
    },
    get: async (id, accountId) => {
      const [row] = await readRows(storage, { id, accountId }, { limit: 1, after: null })
      if (!row) return refused(refusals.notFound('No such request'))
      return accepted({ ...toRequestRecord(row), receipt: await readReceipt(storage, row) })
    },
  }
}

type Part = { readonly limit: number; readonly after: string | null }

/** The newest rows that fit, those before `after`. */
async function readRows(
  storage: Storage,
  { id, from, to, ...filter }: RequestSearch,
  { limit, after }: Part,
): Promise<RequestRow[]> {
  const span = {
    fromMs: from === undefined ? 0 : Date.parse(from),
    toMs: to === undefined ? END_OF_TIME_MS : Date.parse(to),
  }
  const { keyId, model, provider, status } = filter
  const isNarrow = [keyId, model, provider, status].some(value => value !== undefined)
  if (!isNarrow || id !== undefined) return readSpan(storage, filter, { span, limit, after, id })
  const owned = await withAccountOfKey(storage, filter)
  const rows: RequestRow[] = []
  const newestMs = after === null ? null : findTimeOfId(after)
  const upTo = { ...span, toMs: newestMs === null ? span.toMs : Math.min(span.toMs, newestMs + 1) }
  for await (const hours of findRequestHours(storage, owned, upTo)) {
    const part = {
      fromMs: Math.max(span.fromMs, hours.fromMs),
      toMs: Math.min(span.toMs, hours.toMs),
    }
    rows.push(...(await readSpan(storage, owned, { span: part, limit: limit - rows.length, after })))
    if (rows.length === limit) break
  }
  return rows
}

/** A key is of one account, whose records lie together. */
async function withAccountOfKey({ reports }: Storage, filter: RequestFilter): Promise<RequestFilter> {
  if (filter.keyId === undefined || filter.accountId !== undefined) return filter
  const owner = await reports
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select('users.account_id')
    .where('api_keys.id', '=', filter.keyId)
    .executeTakeFirst()
  return owner ? { ...filter, accountId: owner.account_id } : filter
}

type SpanPart = Part & { readonly span: TimeSpan; readonly id?: string | undefined }

/** Identifiers sort as time does: a span of time is a span of them. */
async function readSpan(
  { reports }: Storage,
  { accountId, keyId, model, provider, status }: RequestFilter,
  { span, limit, after, id }: SpanPart,
): Promise<RequestRow[]> {
  let query = reports.selectFrom('requests').selectAll().orderBy('id', 'desc').limit(limit)
  if (span.fromMs > 0) query = query.where('id', '>=', firstIdAt('req', span.fromMs))
  if (span.toMs < END_OF_TIME_MS) query = query.where('id', '<', firstIdAt('req', Math.max(0, span.toMs)))
  if (after !== null) query = query.where('id', '<', after)
  if (id !== undefined) query = query.where('id', '=', id)
  if (accountId !== undefined) query = query.where('account_id', '=', accountId)
  if (keyId !== undefined) query = query.where('key_id', '=', keyId)
  if (model !== undefined) query = query.where('model', '=', model)
  if (provider !== undefined) query = query.where('provider', '=', provider)
  if (status !== undefined) query = query.where('status', '=', status)
  return query.execute()
}
