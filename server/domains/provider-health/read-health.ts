import { type Expression, sql } from 'kysely'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { HealthBucket, HealthQuery, ProviderHealth } from '#contract/provider-health.ts'
import { type Clock, rfc3339 } from '#lib/clock.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { DAY_MS, HOUR_MS } from '#storage/roll-ups/usage-tables.ts'
import type { Storage } from '#storage/storage.ts'
import { ATTEMPT_ENDS, HEALTH_COUNTS, type HealthCounts } from '#storage/watch-tables.ts'
import { readCounts, toFigures } from './figures.ts'
import { SPANS } from './spans.ts'

const DEFAULT_SPAN_MS: Readonly<Record<HealthBucket, number>> = {
  five_minutes: 3 * HOUR_MS,
  hour: DAY_MS,
  day: 30 * DAY_MS,
}
/** A month of hours, and two days of five minutes. */
const MAX_BUCKETS = 750
const MAX_MODELS = 100

export type HealthParts = { readonly storage: Pick<Storage, 'db' | 'reports'>; readonly clock: Clock }

/** How one provider fared; 404 an unknown one, 400 a span that is none or has too many buckets. */
export type ReadHealth = (
  providerId: string,
  query: HealthQuery,
) => Promise<Outcome<ProviderHealth, ServiceError>>

export function createReadHealth({ storage, clock }: HealthParts): ReadHealth {
  return async (providerId, query) => {
    const span = readSpan(query, clock.now())
    if (!span.ok) return span
    if (!(await exists(storage, providerId))) return refused(refusals.notFound('No such provider'))
    return accepted(await report(storage, providerId, span.value))
  }
}

type Span = {
  readonly bucket: HealthBucket
  readonly lengthMs: number
  readonly fromMs: number
  readonly toMs: number
}

function readSpan({ bucket, from, to }: HealthQuery, nowMs: number): Outcome<Span, ServiceError> {
  const { lengthMs } = SPANS[bucket]
  const endMs = to === undefined ? nowMs : Date.parse(to)
  const startMs = from === undefined ? endMs - DEFAULT_SPAN_MS[bucket] : Date.parse(from)
  if (endMs <= startMs) return refused(refusals.invalid('to: must be after from'))
  const fromMs = Math.floor(startMs / lengthMs) * lengthMs
  const toMs = Math.ceil(endMs / lengthMs) * lengthMs
  if ((toMs - fromMs) / lengthMs > MAX_BUCKETS)
    return refused(refusals.invalid(`from: ${MAX_BUCKETS} buckets can be asked for at a time`))
  return accepted({ bucket, lengthMs, fromMs, toMs })
}

async function exists({ db }: HealthParts['storage'], providerId: string): Promise<boolean> {
  const query = db.selectFrom('providers').select('id').where('id', '=', providerId)
  return (await query.executeTakeFirst()) !== undefined
}

async function report(
  { reports }: HealthParts['storage'],
  providerId: string,
  { bucket, lengthMs, fromMs, toMs }: Span,
): Promise<ProviderHealth> {
  const rows = reports
    .selectFrom('provider_health')
    .where('provider_id', '=', providerId)
    .where('length_ms', '=', lengthMs)
    .where('started_at', '>=', fromMs)
    .where('started_at', '<', toMs)
  const sums = HEALTH_COUNTS.map(count => sumOf(count).as(count))
  const attempts = sql`sum(${sql.join(
    ATTEMPT_ENDS.map(end => sql.ref(end)),
    sql` + `,
  )})`
  const [moments, models] = await Promise.all([
    rows
      .select(['started_at', ...sums])
      .groupBy('started_at')
      .orderBy('started_at')
      .execute(),
    rows
      .select(['upstream_model', ...sums])
      .groupBy('upstream_model')
      .orderBy(attempts, 'desc')
      .orderBy('upstream_model')
      .limit(MAX_MODELS)
      .execute(),
  ])
  const inOrder = moments.map(row => ({ startedAt: Number(row.started_at), counts: readCounts(row) }))
  return {
    object: 'provider_health',
    provider_id: providerId,
    from: rfc3339(fromMs),
    to: rfc3339(toMs),
    bucket,
    totals: toFigures(totalOf(inOrder.map(({ counts }) => counts))),
    models: models.map(row => ({ upstream_model: row.upstream_model, ...toFigures(readCounts(row)) })),
    data: inOrder.map(({ startedAt, counts }) => ({
      from: rfc3339(startedAt),
      to: rfc3339(startedAt + lengthMs),
      ...toFigures(counts),
    })),
  }
}

/** A whole number on every engine: one of them makes a decimal of a sum of big ones. */
export function sumOf(column: keyof HealthCounts): Expression<number> & ReturnType<typeof sql<number>> {
  return sql<number>`cast(sum(${sql.ref(column)}) as bigint)`
}

function totalOf(all: readonly HealthCounts[]): HealthCounts {
  const total = (count: keyof HealthCounts) => all.reduce((sum, counts) => sum + counts[count], 0)
  // Every count is among them.
  return Object.fromEntries(HEALTH_COUNTS.map(count => [count, total(count)])) as HealthCounts
}
