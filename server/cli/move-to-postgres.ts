/**
 * `npm run move-to-postgres`: copies the embedded database to Postgres while no service runs, proves the books there, and
 * leaves the embedded one as it was.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { type VerifiedBooks, verifyLedger } from '#domains/billing/verify-ledger.ts'
import { creditsFromMicros, micros } from '#lib/money.ts'
import { migrate } from '#storage/migrations/migrate.ts'
import { type CopiedTable, copyTables } from '#storage/move/copy-tables.ts'
import { fillPostgres } from '#storage/postgres/migrate-postgres.ts'
import { localKysely } from '#storage/sqlite/local-kysely.ts'
import { openSqliteAlone } from '#storage/sqlite/open-alone.ts'
import type { Tables } from '#storage/tables.ts'
import { type Config, readConfig } from '../config.ts'
import { sqlitePath } from '../open-store.ts'

async function run(): Promise<void> {
  const config = readConfig(process.env)
  if (config.databaseUrl === null)
    throw new Error('DATABASE_URL has to name the Postgres database to move to')
  await refuseOtherSecret(config)
  const source = await openSqliteAlone(sqlitePath(config.dataDir))
  try {
    await migrate(localKysely(source), { engine: 'sqlite' })
    const books = await provedBooks(localKysely(source), 'The ledger of the embedded database')
    const copied = await fillPostgres(config.databaseUrl, async target => {
      const tables = await copyTables(source, target)
      const moved = await provedBooks(target, 'What was copied')
      if (!isDeepStrictEqual(moved, books)) throw new Error('What was copied are not the same books')
      return tables
    })
    tell(copied, books)
  } finally {
    source.close()
  }
}

/** With another secret the credentials of providers could not be read any more, and everybody would be signed out. */
async function refuseOtherSecret({ secret, dataDir }: Config): Promise<void> {
  const path = join(dataDir, 'secret')
  const own = await readFile(path, 'utf8').catch(() => null)
  if (own !== null && own.trim() !== secret) {
    throw new Error(`GOLDWEIGHT_SECRET has to be what ${path} holds`)
  }
}

async function provedBooks(db: Kysely<Tables>, what: string): Promise<VerifiedBooks> {
  const books = await verifyLedger(db)
  if (!books.ok) throw new Error(`${what} does not add up, and nothing was moved. ${books.refusal}`)
  return books.value
}

function tell(
  copied: readonly CopiedTable[],
  { accounts, allocatedMicros, usedMicros }: VerifiedBooks,
): void {
  const balances = creditsFromMicros(micros(allocatedMicros - usedMicros))
  for (const { table, rows } of copied) process.stdout.write(`  ${table.padEnd(22)}${rows}\n`)
  process.stdout.write(
    `Moved. The ledger adds up in Postgres: ${accounts} accounts with ${balances} credits in all.\n` +
      'The embedded database is as it was; start the service with this DATABASE_URL and GOLDWEIGHT_SECRET.\n',
  )
}

run().catch((error: unknown) => {
  process.stderr.write(`move-to-postgres: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
