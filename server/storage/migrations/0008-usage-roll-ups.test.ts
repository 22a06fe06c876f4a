import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '#lib/id.ts'
import { micros } from '#lib/money.ts'
import { DURATION_BOUNDS_MS } from '#storage/roll-ups/duration-buckets.ts'
import { openSqliteStorage } from '#storage/sqlite/sqlite-storage.ts'
import { insertAccount, requestOf } from '#test/storage/rows.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { usageRollUps } from './0008-usage-roll-ups.ts'

const TABLES = [
  'usage_hours',
  'usage_days',
  'service_hours',
  'service_days',
  'folded_days',
  'retention_marks',
]

function kyselyOver(database: DatabaseSync): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: new SqliteDialect({
      database: {
        close: () => database.close(),
        prepare: text => {
          const statement = database.prepare(text)
          // Kysely hands over what was bound in the migration: numbers and texts.
          const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
          return {
            reader: statement.columns().length > 0,
            all: parameters => statement.all(...values(parameters)),
            run: parameters => ({ ...statement.run(...values(parameters)) }),
            iterate: parameters => statement.iterate(...values(parameters)),
          }
        },
      },
    }),
  })
}

const STATUSES = ['succeeded', 'failed', 'cancelled'] as const
const ERRORS = ['invalid_request_error', 'upstream_rate_limited', 'upstream_error', 'upstream_timeout', null]

test('records that were there before are summed up as new ones are', async () => {
  const folder = await makeTemporaryFolder()
  const path = join(folder.path, 'goldweight.db')
  const storage = await openSqliteStorage(path)
  const account = await insertAccount(storage)
  const postings = Array.from({ length: 400 }, (_, index) => {
    const bound = DURATION_BOUNDS_MS[index % DURATION_BOUNDS_MS.length] ?? 0
    const created_at = 1_795_046_400_000 + index * 60_000
    const request = {
      ...requestOf(account, index * 10, newId('req', created_at)),
      created_at,
      model: index % 7 === 0 ? null : `model ${index % 3}`,
      weights_json: index % 5 === 0 ? null : '{}',
      provider: index % 11 === 0 ? null : `provider ${index % 2}`,
      status: STATUSES[index % 3] ?? 'failed',
      error_type: ERRORS[index % 5] ?? null,
      usage_source: index % 4 === 0 ? ('estimate' as const) : null,
      latency_ms: bound + (index % 2),
      first_token_ms: index % 3 === 0 ? null : bound + (index % 2),
      charge_micros: micros(BigInt(index) * 10n ** 12n),
    }
    return storage.post({ accountId: account, request, entry: null })
  })
  await Promise.all(postings)
  const read = async (table: 'usage_hours' | 'service_hours') =>
    storage.db
      .selectFrom(table)
      .selectAll()
      .orderBy('started_at')
      .orderBy('model')
      .orderBy('provider')
      .execute()
  const written = { hours: await read('usage_hours'), service: await read('service_hours') }

  const database = new DatabaseSync(path)
  for (const table of TABLES) database.exec(`drop table ${table}`)
  const migrating = kyselyOver(database)
  await usageRollUps({ engine: 'sqlite' }).up(migrating)
  await migrating.destroy()

  expect(written.hours.length).toBeGreaterThan(50)
  expect({ hours: await read('usage_hours'), service: await read('service_hours') }).toEqual(written)
  await storage.close()
  await folder.remove()
})
