import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { MigrationContext } from './migration-context.ts'

/** Sums of usage by hour, filled from the records there are; by day, to be filled by a job; and what retention left. */
export function usageRollUps({ engine }: MigrationContext) {
  return { up: (db: Kysely<unknown>) => up(db, engine) }
}

const BOUNDS_MS = [
  10, 16, 25, 40, 63, 100, 160, 250, 400, 630, 1_000, 1_600, 2_500, 4_000, 6_300, 10_000, 16_000, 25_000,
  40_000, 63_000, 100_000, 160_000, 250_000, 400_000, 630_000,
]
const BUCKETS = Array.from({ length: BOUNDS_MS.length + 1 }, (_, index) => String(index).padStart(2, '0'))

const DIMENSIONS = ['account_id', 'key_id', 'model', 'endpoint', 'provider']
const SERVICE_DIMENSIONS = ['model', 'endpoint', 'provider']
const WIDE_SUMS = [
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'output_tokens',
  'latency_ms_sum',
  'first_token_ms_sum',
  'charge_micros',
]

type Engine = MigrationContext['engine']

async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const table of ['usage_hours', 'usage_days'])
    await createRollUpTable(db, engine, { table, dimensions: DIMENSIONS })
  for (const table of ['service_hours', 'service_days']) {
    await createRollUpTable(db, engine, { table, dimensions: SERVICE_DIMENSIONS, sharded: true })
  }
  await db.schema
    .createTable('retention_marks')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('deleted_before', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('folded_days')
    .addColumn('started_at', 'bigint', c => c.primaryKey())
    .addColumn('state', 'text', c => c.notNull())
    .execute()
  await fillRollUps(db)
}

/** Sums up all records that there are into empty tables. */
export async function fillRollUps(db: Kysely<unknown>): Promise<void> {
  await fillHours(db)
  await fillServiceHours(db)
}

type RollUpTable = {
  readonly table: string
  readonly dimensions: readonly string[]
  readonly sharded?: boolean
}

/** Every summed column with its amount in one row of `requests`. */
function sumsOfRequest(): Record<string, RawBuilder<unknown>> {
  const count = (condition: RawBuilder<unknown>) => sql`case when ${condition} then 1 else 0 end`
  const failed = (...types: string[]) => sql`status = 'failed' and error_type in (${sql.join(types)})`
  const known = ['invalid_request_error', 'upstream_rate_limited', 'upstream_error', 'upstream_timeout']
  const sums: Record<string, RawBuilder<unknown>> = {
    requests: sql`1`,
    succeeded: count(sql`status = 'succeeded'`),
    cancelled: count(sql`status = 'cancelled'`),
    failed_invalid: count(failed('invalid_request_error')),
    failed_throttled: count(failed('upstream_rate_limited')),
    failed_upstream: count(failed('upstream_error')),
    failed_timeout: count(failed('upstream_timeout')),
    failed_service: count(sql`status = 'failed' and coalesce(error_type, '') not in (${sql.join(known)})`),
    estimated: count(sql`usage_source = 'estimate'`),
    input_tokens: sql`input_tokens`,
    cache_read_tokens: sql`cache_read_tokens`,
    cache_write_tokens: sql`cache_write_tokens`,
    output_tokens: sql`output_tokens`,
    latency_ms_sum: sql`case when status = 'succeeded' then latency_ms else 0 end`,
    first_token_ms_sum: sql`coalesce(first_token_ms, 0)`,
    charge_micros: sql`charge_micros`,
  }
  for (const [index, bucket] of BUCKETS.entries()) {
    sums[`latency_${bucket}`] = count(sql`status = 'succeeded' and ${isIn('latency_ms', index)}`)
    sums[`first_token_${bucket}`] = count(isIn('first_token_ms', index))
  }
  return sums
}

function isIn(column: string, bucket: number): RawBuilder<unknown> {
  const [above, upTo] = [BOUNDS_MS[bucket - 1], BOUNDS_MS[bucket]]
  const parts = [sql`${sql.ref(column)} is not null`]
  if (above !== undefined) parts.push(sql`${sql.ref(column)} > ${sql.lit(above)}`)
  if (upTo !== undefined) parts.push(sql`${sql.ref(column)} <= ${sql.lit(upTo)}`)
  return sql.join(parts, sql` and `)
}

/** A table of sums, for each value of the dimensions and each span of time. */
export async function createRollUpTable(
  db: Kysely<unknown>,
  engine: Engine,
  { table, dimensions, sharded = false }: RollUpTable,
): Promise<void> {
  let builder: CreateTableBuilder<string, string> = db.schema
    .createTable(table)
    .addColumn('started_at', 'bigint', c => c.notNull())
  for (const dimension of dimensions) builder = builder.addColumn(dimension, 'text', c => c.notNull())
  if (sharded) builder = builder.addColumn('shard', 'integer', c => c.notNull())
  for (const column of Object.keys(sumsOfRequest())) {
    builder = builder.addColumn(column, WIDE_SUMS.includes(column) ? 'bigint' : 'integer', c => c.notNull())
  }
  // Time comes first: what is written now lies together, however many accounts are at work.
  const keys = ['started_at', ...dimensions, ...(sharded ? ['shard'] : [])]
  await builder
    .addPrimaryKeyConstraint(`${table}_key`, keys)
    // SQLite keeps the rows in the tree of their key. Postgres writes a row anew whenever it changes: with room on its
    // page, no index has to learn of it.
    .modifyEnd(engine === 'sqlite' ? sql`without rowid` : sql`with (fillfactor = 50)`)
    .execute()
}

async function fillHours(db: Kysely<unknown>): Promise<void> {
  const keys = {
    started_at: sql`created_at - created_at % 3600000`,
    account_id: sql`account_id`,
    key_id: sql`key_id`,
    model: sql`case when weights_json is null then '' else coalesce(model, '') end`,
    endpoint: sql`endpoint`,
    provider: sql`coalesce(provider, '')`,
  }
  const sums = sumsOfRequest()
  const columns = [...Object.keys(keys), ...Object.keys(sums)].map(column => sql.ref(column))
  await sql`insert into usage_hours (${sql.join(columns)})
    select ${sql.join([...Object.values(keys), ...Object.values(sums).map(sum => sql`sum(${sum})`)])}
    from requests group by ${sql.join(Object.values(keys))}`.execute(db)
}

async function fillServiceHours(db: Kysely<unknown>): Promise<void> {
  const keys = sql`started_at, model, endpoint, provider`
  const sums = Object.keys(sumsOfRequest()).map(column => sql.ref(column))
  await sql`insert into service_hours (${keys}, shard, ${sql.join(sums)})
    select ${keys}, 0, ${sql.join(sums.map(sum => sql`sum(${sum})`))}
    from usage_hours group by ${keys}`.execute(db)
}
