/** Reads sums of usage from the roll-ups: how much a page reads follows from its span, not from how much was used. */
import { type RawBuilder, sql } from 'kysely'
import type { EndpointName } from '#contract/usage.ts'
import type { UsageGrouping } from '#contract/usage-report.ts'
import { type Micros, micros } from '#lib/money.ts'
import { COUNT_COLUMNS, type CountColumn, DAY_MS, HOUR_MS } from '#storage/roll-ups/usage-tables.ts'
import type { Storage } from '#storage/storage.ts'

/** What is left out does not matter. */
export type UsageFilter = {
  readonly accountId?: string | undefined
  readonly keyId?: string | undefined
  readonly model?: string | undefined
  readonly provider?: string | undefined
  readonly endpoint?: EndpointName | undefined
}

/** A part of the roll-ups: the rows of these hours, or of these days. */
export type UsageSlice = {
  readonly filter: UsageFilter
  readonly hours: readonly number[]
  readonly days: readonly number[]
}

/** The sums over some requests. */
export type UsageSums = { readonly [Column in CountColumn]: number } & { readonly chargeMicros: Micros }

export type GroupedSums = UsageSums & {
  /** Where its hour or day begins; 0 where time does not matter. */
  readonly startedAt: number
  /** The value that it is grouped by; null for what has no row of its own, and where nothing is grouped. */
  readonly group: string | null
}

/** How rows are brought together. */
export type Gathering = {
  readonly groupBy: UsageGrouping | null
  /** The values that have rows of their own; all of them where it is left out. */
  readonly only?: readonly string[]
  /** Told apart by hour or by day, days shifted by so much; left out where time does not matter. */
  readonly by?: { readonly lengthMs: number; readonly offsetMs: number }
  /** The most expensive so many. */
  readonly limit?: number
}

const COLUMN_OF = {
  model: 'model',
  key: 'key_id',
  account: 'account_id',
  provider: 'provider',
  endpoint: 'endpoint',
} as const satisfies Record<UsageGrouping, string>

export async function readSums(
  { reports }: Pick<Storage, 'reports'>,
  slice: UsageSlice,
  gathering: Gathering,
): Promise<GroupedSums[]> {
  const { groupBy, only, by, limit } = gathering
  const startedAt = by ? bucketStart(by) : sql`0`
  const group = groupBy === null ? sql`null` : groupValue(COLUMN_OF[groupBy], only)
  const columns = COUNT_COLUMNS.map(
    column => sql`cast(sum(${sql.ref(column)}) as bigint) as ${sql.ref(column)}`,
  )
  const source = rowsOf(slice, groupBy === 'account' || groupBy === 'key')
  if (source === null) return []
  // By their places in the list: repeated with values of their own they would be other expressions to Postgres.
  const grouping = [...(by ? [sql`1`] : []), ...(groupBy === null ? [] : [sql`2`])]
  const query = sql<SumsRow>`
    select ${startedAt} as started, ${group} as grouped, cast(sum(charge_micros) as text) as charge, ${sql.join(columns)}
    from ${source} as rolled
    ${grouping.length === 0 ? sql`` : sql`group by ${sql.join(grouping)}`}
    ${grouping.length === 0 ? sql`having count(*) > 0` : sql``}
    ${limit === undefined ? sql`` : sql`order by sum(charge_micros) desc, sum(requests) desc, 2 limit ${limit}`}`
  const { rows } = await query.execute(reports)
  return rows.map(({ started, grouped, charge, ...counts }) => ({
    ...counts,
    startedAt: started,
    group: grouped,
    chargeMicros: micros(BigInt(charge)),
  }))
}

/** Amounts come as text: what no double can hold stays exact, and counts stay plain numbers. */
type SumsRow = { [Column in CountColumn]: number } & {
  readonly started: number
  readonly grouped: string | null
  readonly charge: string
}

function bucketStart({ lengthMs, offsetMs }: { lengthMs: number; offsetMs: number }): RawBuilder<number> {
  const [length, offset] = [sql.lit(lengthMs), sql.lit(offsetMs)]
  return sql`started_at - (started_at + ${offset}) % ${length}`
}

function groupValue(column: string, only: readonly string[] | undefined): RawBuilder<string | null> {
  if (only === undefined) return sql`${sql.ref(column)}`
  if (only.length === 0) return sql`null`
  return sql`case when ${sql.ref(column)} in (${sql.join(only)}) then ${sql.ref(column)} end`
}

/** The rows of the slice; null when there are none to read. Those over all accounts are far fewer, where they will do. */
function rowsOf({ filter, hours, days }: UsageSlice, perAccount: boolean): RawBuilder<unknown> | null {
  const isOfAccounts = perAccount || filter.accountId !== undefined || filter.keyId !== undefined
  const scope = isOfAccounts ? 'usage' : 'service'
  const parts = [
    { table: `${scope}_hours`, starts: hours },
    { table: `${scope}_days`, starts: days },
  ].filter(({ starts }) => starts.length > 0)
  const selects = parts.map(
    ({ table, starts }) =>
      sql`select * from ${sql.table(table)} where ${sql.join([isOneOf(starts), ...conditions(filter)], sql` and `)}`,
  )
  return selects.length === 0 ? null : sql`(${sql.join(selects, sql` union all `)})`
}

function conditions({ accountId, keyId, model, provider, endpoint }: UsageFilter): RawBuilder<unknown>[] {
  const wanted = { account_id: accountId, key_id: keyId, model, provider, endpoint }
  return Object.entries(wanted).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`],
  )
}

/** Rows lie in the order of their time, then of their account: a list of times finds an account's in so many steps. */
function isOneOf(starts: readonly number[]): RawBuilder<unknown> {
  return sql`started_at in (${sql.join(starts)})`
}

/** The hours, in milliseconds since the epoch, from one moment to another that is not part of it. */
export function hoursBetween(fromMs: number, toMs: number): number[] {
  return Array.from(
    { length: Math.max(0, (toMs - fromMs) / HOUR_MS) },
    (_, index) => fromMs + index * HOUR_MS,
  )
}

/** The same for days of UTC. */
export function daysBetween(fromMs: number, toMs: number): number[] {
  return Array.from({ length: Math.max(0, (toMs - fromMs) / DAY_MS) }, (_, index) => fromMs + index * DAY_MS)
}
