import type { IllProvider } from '#contract/provider-health.ts'
import { HEALTH_COUNTS } from '#storage/watch-tables.ts'
import { countFailures, readCounts, toFigures } from './figures.ts'
import { type HealthParts, sumOf } from './read-health.ts'
import { FIVE_MINUTES_MS } from './spans.ts'

/** The five minutes that run, and those before. */
const LOOKED_BACK_MS = FIVE_MINUTES_MS
const ENOUGH_FAILURES = 3
const MANY_FAILURES = 0.2

/** The enabled providers at which a good part of the attempts of the last five to ten minutes came to nothing, the worst first. */
export async function listIllProviders({ storage, clock }: HealthParts): Promise<IllProvider[]> {
  const nowMs = clock.now()
  const rows = await storage.db
    .selectFrom('provider_health')
    .innerJoin('providers', 'providers.id', 'provider_health.provider_id')
    .select(['provider_health.provider_id', 'providers.name'])
    .select(HEALTH_COUNTS.map(count => sumOf(count).as(count)))
    .where('length_ms', '=', FIVE_MINUTES_MS)
    .where('started_at', '>=', nowMs - (nowMs % FIVE_MINUTES_MS) - LOOKED_BACK_MS)
    .where('providers.enabled', '=', 1)
    .groupBy(['provider_health.provider_id', 'providers.name'])
    .execute()
  return rows
    .map(row => ({ ...row, ...toFigures(readCounts(row)) }))
    .map(row => ({ ...row, failed: countFailures(row) }))
    .filter(({ failed, attempts }) => failed >= ENOUGH_FAILURES && failed >= attempts * MANY_FAILURES)
    .toSorted((a, b) => b.failed / b.attempts - a.failed / a.attempts)
    .map(({ provider_id, name, attempts, failures }) => ({ provider_id, name, attempts, failures }))
}
