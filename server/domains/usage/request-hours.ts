/**
 * Finds the hours in which there are requests that fit a filter, from the roll-ups. So a list of the few requests of one
 * key, model or outcome among millions skips what it would else have to look through, and no index has to be kept for it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { RequestStatus } from '#contract/usage.ts'
import { DAY_MS, FAILURE_KINDS, HOUR_MS } from '#storage/roll-ups/usage-tables.ts'
import type { Storage } from '#storage/storage.ts'
import { findRetentionMark } from './retention-mark.ts'
import { readCoarseSlice } from './usage-slice.ts'
import { hoursBetween } from './usage-sums.ts'

/** What is left out does not matter. */
export type RequestFilter = {
  readonly accountId?: string | undefined
  readonly keyId?: string | undefined
  readonly model?: string | undefined
  readonly provider?: string | undefined
  readonly status?: RequestStatus | undefined
}

export type TimeSpan = { readonly fromMs: number; readonly toMs: number }

type Reports = Pick<Storage, 'reports'>

/** How far back one look goes. */
const WINDOW_MS = 92 * DAY_MS

/** The spans of whole hours that hold requests which fit, the newest first. */
export async function* findRequestHours(
  storage: Reports,
  filter: RequestFilter,
  { fromMs, toMs }: TimeSpan,
): AsyncGenerator<TimeSpan> {
  const kept = await findKeptSpan(storage)
  const firstMs = floorToDay(Math.max(fromMs, kept.fromMs))
  for (let endMs = ceilToDay(Math.min(toMs, kept.toMs)); endMs > firstMs; endMs -= WINDOW_MS) {
    const startMs = Math.max(endMs - WINDOW_MS, firstMs)
    const slice = await readCoarseSlice(storage, { fromMs: startMs, toMs: endMs }, {})
    const days = await startsWith(storage, filter, { grain: 'days', starts: slice.days })
    const hours = await startsWith(storage, filter, { grain: 'hours', starts: slice.hours })
    const unfolded = new Set(hours.map(floorToDay))
    for (const day of [...days, ...unfolded].sort((a, b) => b - a)) {
      const inDay = unfolded.has(day)
        ? hours.filter(hour => floorToDay(hour) === day)
        : await startsWith(storage, filter, { grain: 'hours', starts: hoursBetween(day, day + DAY_MS) })
      yield* joined(inDay)
    }
  }
}

const floorToDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS
const ceilToDay = (ms: number) => Math.ceil(ms / DAY_MS) * DAY_MS

/** From the first to the last hour whose single requests are still there. */
async function findKeptSpan({ reports }: Reports): Promise<TimeSpan> {
  const deletedBefore = await findRetentionMark(reports)
  const ends = await reports
    .selectFrom('service_hours')
    .select(({ fn }) => [fn.min('started_at').as('first'), fn.max('started_at').as('last')])
    .where('started_at', '>=', deletedBefore)
    .executeTakeFirst()
  // Both are null where there is none yet.
  return { fromMs: ends?.first ?? 0, toMs: ends?.last == null ? 0 : ends.last + HOUR_MS }
}

type Starts = { readonly grain: 'hours' | 'days'; readonly starts: readonly number[] }

/** Those of the hours or days in which there are requests that fit. */
async function startsWith(
  { reports }: Reports,
  filter: RequestFilter,
  { grain, starts }: Starts,
): Promise<number[]> {
  if (starts.length === 0) return []
  const scope = filter.accountId === undefined && filter.keyId === undefined ? 'service' : 'usage'
  const { rows } = await sql<{ started_at: number }>`
    select started_at from ${sql.table(`${scope}_${grain}`)}
    where started_at in (${sql.join(starts)}) and ${sql.join(conditions(filter), sql` and `)}
    group by started_at`.execute(reports)
  return rows.map(row => row.started_at)
}

function conditions({ accountId, keyId, model, provider, status }: RequestFilter): RawBuilder<unknown>[] {
  return [
    sql`requests > 0`,
    ...(accountId === undefined ? [] : [sql`account_id = ${accountId}`]),
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    // A name that callers made up is counted under no model.
    ...(model === undefined ? [] : [sql`model in (${model}, '')`]),
    ...(provider === undefined ? [] : [sql`provider = ${provider}`]),
    ...(status === undefined ? [] : [hasStatus(status)]),
  ]
}

function hasStatus(status: RequestStatus): RawBuilder<unknown> {
  if (status !== 'failed') return sql`${sql.ref(status)} > 0`
  const kinds = FAILURE_KINDS.map(kind => sql`${sql.ref(`failed_${kind}`)} > 0`)
  return sql`(${sql.join(kinds, sql` or `)})`
}

/** Hours that follow each other as one span each, the newest first. */
function joined(hours: readonly number[]): TimeSpan[] {
  const spans: TimeSpan[] = []
  for (const hour of [...hours].sort((a, b) => b - a)) {
    const newer = spans.at(-1)
    if (newer?.fromMs === hour + HOUR_MS) spans[spans.length - 1] = { ...newer, fromMs: hour }
    else spans.push({ fromMs: hour, toMs: hour + HOUR_MS })
  }
  return spans
}
