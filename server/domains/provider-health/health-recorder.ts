import { sql } from 'kysely'
import type { CatalogRoute } from '#domains/catalog/snapshot.ts'
import type { Clock } from '#lib/clock.ts'
import { startClockwork } from '#lib/clockwork.ts'
import type { Statement, Storage } from '#storage/storage.ts'
import {
  type AttemptCount,
  HEALTH_COUNTS,
  HEALTH_KEYS,
  type HealthCount,
  type HealthCounts,
  type ProviderHealthRow,
} from '#storage/watch-tables.ts'
import { SPANS } from './spans.ts'

const FLUSH_EVERY_MS = 5_000
const ROWS_IN_UNIT = 200

/** Counts how attempts at providers fare, without a write per request. */
export type HealthRecorder = {
  /** Costs a look into a map. */
  noteAttempt(route: CatalogRoute, count: AttemptCount): void
  /** A route is left alone for so long. */
  noteRest(route: CatalogRoute, ms: number): void
  noteProbe(route: CatalogRoute): void
  noteRecovery(route: CatalogRoute): void
  /** Adds everything counted so far to the store; rejects when it does not take it, and keeps it for the next time. */
  flush(): Promise<void>
  /** Deletes sums of spans that are kept no longer. */
  deleteExpired(): Promise<void>
  /** Stops the clockwork and writes down what is left. */
  close(): Promise<void>
}

type Row = ProviderHealthRow

const ADDED = Object.fromEntries(
  HEALTH_COUNTS.map(count => [
    count,
    sql<never>`${sql.ref(`provider_health.${count}`)} + ${sql.ref(`excluded.${count}`)}`,
  ]),
)

/** What is counted belongs to the span in which it is collected: at the latest five seconds after it happened. */
export function createHealthRecorder({
  storage,
  clock,
}: {
  readonly storage: Storage
  readonly clock: Clock
}): HealthRecorder {
  /** By the route as the catalogue has it now: nothing has to be put together to find it. */
  let counted = new Map<CatalogRoute, HealthCounts>()
  /** What waits to be written. */
  const waiting = new Map<string, Row>()

  function add(route: CatalogRoute, count: HealthCount, by = 1): void {
    let counts = counted.get(route)
    if (!counts) {
      counts = noCounts()
      counted.set(route, counts)
    }
    counts[count] += by
  }

  function collect(): void {
    const nowMs = clock.now()
    for (const [route, counts] of counted) {
      for (const { lengthMs } of Object.values(SPANS)) {
        keep({
          provider_id: route.provider.id,
          length_ms: lengthMs,
          started_at: nowMs - (nowMs % lengthMs),
          upstream_model: route.upstreamModel,
          ...counts,
        })
      }
    }
    counted = new Map()
  }

  function keep(row: Row): void {
    const key = JSON.stringify(HEALTH_KEYS.map(column => row[column]))
    const known = waiting.get(key)
    waiting.set(key, known ? addCounts(known, row) : row)
  }

  async function writeDown(): Promise<void> {
    collect()
    // All nodes write in one order, so that none waits for another's row while it holds one the other wants.
    const rows = [...waiting].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
    waiting.clear()
    for (let start = 0; start < rows.length; start += ROWS_IN_UNIT) {
      try {
        await storage.commit([addRows(storage, rows.slice(start, start + ROWS_IN_UNIT))])
      } catch (error) {
        for (const row of rows.slice(start)) keep(row)
        throw error
      }
    }
  }

  // The store's own failures are logged elsewhere.
  const clockwork = startClockwork(writeDown, FLUSH_EVERY_MS)

  return {
    noteAttempt: (route, count) => add(route, count),
    noteRest: (route, ms) => {
      add(route, 'rests')
      add(route, 'rest_ms', Math.round(ms))
    },
    noteProbe: route => add(route, 'probes'),
    noteRecovery: route => add(route, 'recoveries'),
    flush: clockwork.run,
    deleteExpired: async () => {
      const nowMs = clock.now()
      await storage.commit(
        Object.values(SPANS).map(({ lengthMs, keptMs }) => ({
          query: storage.db
            .deleteFrom('provider_health')
            .where('length_ms', '=', lengthMs)
            .where('started_at', '<', nowMs - keptMs),
        })),
      )
    },
    close: clockwork.close,
  }
}

function addRows({ db }: Storage, rows: readonly Row[]): Statement {
  const query = db
    .insertInto('provider_health')
    .values(rows)
    .onConflict(conflict => conflict.columns([...HEALTH_KEYS]).doUpdateSet(ADDED))
  return { query }
}

function noCounts(): HealthCounts {
  return addCounts(null, null)
}

function addCounts<A extends Partial<HealthCounts> | null>(a: A, b: Partial<HealthCounts> | null) {
  // Every count is among them, and whatever else the first has stays.
  return Object.assign(
    {},
    a,
    Object.fromEntries(HEALTH_COUNTS.map(count => [count, (a?.[count] ?? 0) + (b?.[count] ?? 0)])),
  ) as A & HealthCounts
}
