import type { Kysely } from 'kysely'

const COUNTS = [
  'answered',
  'throttled',
  'timed_out',
  'unreachable',
  'refused',
  'failed',
  'rejected',
  'broke_off',
  'rests',
  'rest_ms',
  'probes',
  'recoveries',
]

/** Sums over the attempts that were made at providers. */
export function providerHealth() {
  return { up }
}

async function up(db: Kysely<unknown>): Promise<void> {
  let table = db.schema
    .createTable('provider_health')
    .addColumn('provider_id', 'text', c => c.notNull())
    .addColumn('length_ms', 'bigint', c => c.notNull())
    .addColumn('started_at', 'bigint', c => c.notNull())
    .addColumn('upstream_model', 'text', c => c.notNull())
    // A page reads one provider over a span.
    .addPrimaryKeyConstraint('provider_health_key', [
      'provider_id',
      'length_ms',
      'started_at',
      'upstream_model',
    ])
  for (const count of COUNTS) table = table.addColumn(count, 'bigint', c => c.notNull())
  await table.execute()
  // All providers of the last minutes are looked at together, and what is old is cleared away.
  await db.schema
    .createIndex('provider_health_span')
    .on('provider_health')
    .columns(['length_ms', 'started_at'])
    .execute()
}
