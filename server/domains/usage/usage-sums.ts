/** Reads sums of usage from the roll-ups: how much a page reads follows from its span, not from how much was used. */
import { type RawBuilder, sql } from 'kysely'
import type { EndpointName } from '#contract/usage.ts'
import type { UsageGrouping } from '#contract/usage-report.ts'
import { type Micros, micros } from '#lib/money.ts'
import {
  DAY_MS,
  FIRST_TOKEN_COLUMNS,
  HOUR_MS,
  LATENCY_COLUMNS,
  PLAIN_COUNTS,
  type PlainCount,
} from '#storage/roll-ups/usage-tables.ts'
import type { Storage } from '#storage/storage.ts'

/** What is left out does not matter. */
export type UsageFilter = {
  readonly accountId?: string | undefined
  readonly keyId?: string | undefined
  readonly model?: string | undefined
  readonly provider?: string | undefined
  readonly endpoint?: EndpointName | undefined
}

/** A part of the roll-ups: the rows of these hours, and of these days. */
export type UsageSlice = {
  readonly filter: UsageFilter
  readonly hours: readonly number[]
  readonly days: readonly number[]
}

/** How many requests took how long, by the buckets of `duration-buckets.ts`. */
export type Histograms = {
  readonly latencies: readonly number[]
  readonly firstTokens: readonly number[]
}

/** The sums over some requests. */
export type UsageSums = { readonly [Column in PlainCount]: number } & {
  readonly chargeMicros: Micros
  /** Of those whose first token was measured. */
  readonly firstTokenCount: number
  /** null where they were not asked for. */
  readonly histograms: Histograms | null
}

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
  /** Histograms are most of what there is to read: they are left out unless they are asked for. */
  readonly histograms: boolean
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

const sumOf = (column: string) => sql`sum(${sql.ref(column)})`
const named = (column: string) => sql`${sumOf(column)} as ${sql.ref(column)}`
/** Many counts travel as one text: as columns they would cost more on their way than in the store. */
const joined = (columns: readonly string[]) => sql.join(columns.map(sumOf), sql` || ',' || `)
const counted = (columns: readonly string[]) =>
  sql`sum(${sql.join(
    columns.map(column => sql.ref(column)),
    sql` + `,
  )})`

const PLAIN_PARTS = [
  ...[...PLAIN_COUNTS, 'charge_micros'].map(named),
  sql`${counted(FIRST_TOKEN_COLUMNS)} as first_tokens`,
]
const HISTOGRAM_PARTS = [...LATENCY_COLUMNS, ...FIRST_TOKEN_COLUMNS].map(named)
const PLAIN_SHOWN = [
  // As text, so that what no double can hold stays exact, while counts stay plain numbers.
  sql`cast(sum(charge_micros) as text) as charge`,
  ...[...PLAIN_COUNTS, 'first_tokens'].map(
    column => sql`cast(${sumOf(column)} as bigint) as ${sql.ref(column)}`,
  ),
]
const HISTOGRAMS_SHOWN = [
  sql`${joined(LATENCY_COLUMNS)} as latency_histogram`,
  sql`${joined(FIRST_TOKEN_COLUMNS)} as first_token_histogram`,
]

type SumsRow = { [Column in PlainCount]: number } & {
  readonly started: number
  readonly grouped: string | null
  readonly charge: string
  readonly first_tokens: number
  readonly latency_histogram?: string
  readonly first_token_histogram?: string
}

export async function readSums(
  { reports }: Pick<Storage, 'reports'>,
  slice: UsageSlice,
  gathering: Gathering,
): Promise<GroupedSums[]> {
  const parts = partsOf(slice, gathering)
  if (parts.length === 0) return []
  const { limit, by, histograms } = gathering
  const shown = sql.join([...PLAIN_SHOWN, ...(histograms ? HISTOGRAMS_SHOWN : [])])
  const order =
    limit === undefined
      ? sql``
      : sql`order by sum(charge_micros) desc, sum(requests) desc, grouped limit ${limit}`
  // Each part is summed up before both are, so that wide rows are read once and not passed on.
  const { rows } = await sql<SumsRow>`select ${by ? bucketStart(by) : sql`0`} as started, grouped, ${shown}
    from (${sql.join(parts, sql` union all `)}) as parts group by 1, 2 ${order}`.execute(reports)
  return rows.map(toGroupedSums)
}

function toGroupedSums({
  started,
  grouped,
  charge,
  first_tokens,
  latency_histogram: latencies,
  first_token_histogram: firstTokens,
  ...counts
}: SumsRow): GroupedSums {
  return {
    ...counts,
    startedAt: started,
    group: grouped,
    chargeMicros: micros(BigInt(charge)),
    firstTokenCount: first_tokens,
    histograms:
      latencies === undefined || firstTokens === undefined
        ? null
        : { latencies: toCounts(latencies), firstTokens: toCounts(firstTokens) },
  }
}

const toCounts = (text: string) => text.split(',').map(Number)

/** The sums of the slice's hours and those of its days, where there are any. */
function partsOf(
  { filter, hours, days }: UsageSlice,
  { groupBy, only, by, histograms }: Gathering,
): RawBuilder<unknown>[] {
  // In the order in which the rows lie, so that nothing has to be sorted where nothing else is grouped.
  const startedAt = by ? sql`started_at` : sql`cast(0 as bigint)`
  const group = groupBy === null ? sql`cast(null as text)` : groupValue(COLUMN_OF[groupBy], only)
  const sums = sql.join([...PLAIN_PARTS, ...(histograms ? HISTOGRAM_PARTS : [])])
  const grouping = [...(by ? [sql`1`] : []), ...(groupBy === null ? [] : [sql`2`])]
  const tables = tablesFor(filter, groupBy)
  const parts = [
    { table: tables.hours, starts: hours },
    { table: tables.days, starts: days },
  ]
  return parts
    .filter(({ starts }) => starts.length > 0)
    .map(
      ({ table, starts }) => sql`select ${startedAt} as started, ${group} as grouped, ${sums}
        from ${sql.table(table)} where ${sql.join([isOneOf(starts), ...conditions(filter)], sql` and `)}
        ${grouping.length === 0 ? sql`having count(*) > 0` : sql`group by ${sql.join(grouping)}`}`,
    )
}

/** The tables with the fewest rows that tell what is asked. */
function tablesFor(
  { accountId, keyId, ...others }: UsageFilter,
  groupBy: UsageGrouping | null,
): { readonly hours: string; readonly days: string } {
  const needsAccounts = [accountId, keyId].some(value => value !== undefined)
  if (groupBy !== 'account' && groupBy !== 'key' && !needsAccounts) {
    return { hours: 'service_hours', days: 'service_days' }
  }
  const isOfAccounts = keyId === undefined && Object.values(others).every(value => value === undefined)
  const groupsAccounts = groupBy === null || groupBy === 'account'
  return { hours: 'usage_hours', days: isOfAccounts && groupsAccounts ? 'account_days' : 'usage_days' }
}

function bucketStart({ lengthMs, offsetMs }: { lengthMs: number; offsetMs: number }): RawBuilder<unknown> {
  return sql`started - (started + ${sql.lit(offsetMs)}) % ${sql.lit(lengthMs)}`
}

function groupValue(column: string, only: readonly string[] | undefined): RawBuilder<unknown> {
  if (only === undefined) return sql.ref(column)
  if (only.length === 0) return sql`cast(null as text)`
  return sql`case when ${sql.ref(column)} in (${sql.join(only)}) then ${sql.ref(column)} end`
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
