/** Reads sums of usage from the roll-ups: how much a page reads follows from its span, not from how much was used. */
import { type RawBuilder, sql } from 'kysely'
import type { EndpointName } from '#contract/usage.ts'
import type { UsageGrouping } from '#contract/usage-report.ts'
import { type Micros, micros } from '#lib/money.ts'
import {
  COUNT_COLUMNS,
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

/** The sums over some requests. */
export type UsageSums = { readonly [Column in PlainCount]: number } & {
  readonly chargeMicros: Micros
  /** How many requests took how long, by the buckets of `duration-buckets.ts`. */
  readonly latencies: readonly number[]
  readonly firstTokens: readonly number[]
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

const PART_SUMS = sql.join([...COUNT_COLUMNS, 'charge_micros'].map(named))
const SHOWN_SUMS = sql.join([
  // As text, so that what no double can hold stays exact, while counts stay plain numbers.
  sql`cast(sum(charge_micros) as text) as charge`,
  ...PLAIN_COUNTS.map(column => sql`cast(${sumOf(column)} as bigint) as ${sql.ref(column)}`),
  sql`${joined(LATENCY_COLUMNS)} as latencies`,
  sql`${joined(FIRST_TOKEN_COLUMNS)} as first_tokens`,
])

type SumsRow = { [Column in PlainCount]: number } & {
  readonly started: number
  readonly grouped: string | null
  readonly charge: string
  readonly latencies: string
  readonly first_tokens: string
}

export async function readSums(
  { reports }: Pick<Storage, 'reports'>,
  slice: UsageSlice,
  gathering: Gathering,
): Promise<GroupedSums[]> {
  const parts = partsOf(slice, gathering)
  if (parts.length === 0) return []
  const { limit } = gathering
  const order =
    limit === undefined
      ? sql``
      : sql`order by sum(charge_micros) desc, sum(requests) desc, grouped limit ${limit}`
  // Each part is summed up before both are, so that wide rows are read once and not passed on.
  const { rows } = await sql<SumsRow>`select started, grouped, ${SHOWN_SUMS}
    from (${sql.join(parts, sql` union all `)}) as parts group by started, grouped ${order}`.execute(reports)
  return rows.map(({ started, grouped, charge, latencies, first_tokens, ...counts }) => ({
    ...counts,
    startedAt: started,
    group: grouped,
    chargeMicros: micros(BigInt(charge)),
    latencies: latencies.split(',').map(Number),
    firstTokens: first_tokens.split(',').map(Number),
  }))
}

/** The sums of the slice's hours and those of its days, where there are any. */
function partsOf(
  { filter, hours, days }: UsageSlice,
  { groupBy, only, by }: Gathering,
): RawBuilder<unknown>[] {
  const startedAt = by ? bucketStart(by) : sql`0`
  const group = groupBy === null ? sql`cast(null as text)` : groupValue(COLUMN_OF[groupBy], only)
  // Those over all accounts are far fewer, where they will do.
  const needsAccounts =
    groupBy === 'account' || groupBy === 'key' || filter.accountId !== undefined || filter.keyId !== undefined
  const scope = needsAccounts ? 'usage' : 'service'
  const tables = [
    { table: `${scope}_hours`, starts: hours },
    { table: `${scope}_days`, starts: days },
  ]
  return tables
    .filter(({ starts }) => starts.length > 0)
    .map(
      ({ table, starts }) => sql`select ${startedAt} as started, ${group} as grouped, ${PART_SUMS}
        from ${sql.table(table)} where ${sql.join([isOneOf(starts), ...conditions(filter)], sql` and `)}
        group by 1, 2`,
    )
}

function bucketStart({ lengthMs, offsetMs }: { lengthMs: number; offsetMs: number }): RawBuilder<unknown> {
  return sql`started_at - (started_at + ${sql.lit(offsetMs)}) % ${sql.lit(lengthMs)}`
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
