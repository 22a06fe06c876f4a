import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { foundation } from './0001-foundation.ts'
import { postgresLedgerGuard } from './0002-postgres-ledger-guard.ts'
import { unitWeights } from './0004-unit-weights.ts'
import { signIn } from './0006-sign-in.ts'
import { mailAndIdentities } from './0007-mail-and-identities.ts'
import { usageRollUps } from './0008-usage-roll-ups.ts'
import { entriesBesideCharges } from './0009-entries-beside-charges.ts'
import { orders } from './0010-orders.ts'
import { administrators } from './0011-administrators.ts'
import { managedItems } from './0012-managed-items.ts'
import { accountNotices } from './0013-account-notices.ts'
import { longerCacheLives } from './0014-longer-cache-lives.ts'
import { keyRules } from './0015-key-rules.ts'
import { usageOfAccounts } from './0016-usage-of-accounts.ts'
import { idempotencyClaims } from './0017-idempotency-claims.ts'
import { attempts } from './0020-attempts.ts'
import { routing } from './0021-routing.ts'
import { packagePosition } from './0022-package-position.ts'
import { providerCredentials } from './0022-provider-credentials.ts'
import { providerHealth } from './0024-provider-health.ts'
import { serviceNodes } from './0025-service-nodes.ts'
import { closedAccounts } from './0026-closed-accounts.ts'
import { entriesOfAccounts } from './0027-entries-of-accounts.ts'
import { guardsFindTables } from './0028-guards-find-tables.ts'
import { entriesBesideChargesCovered } from './0029-entries-beside-charges-covered.ts'
import type { MigrationContext } from './migration-context.ts'
import { postgresColumns } from './postgres-columns.ts'

/** Every migration in order. A name that has been released never changes. */
function allMigrations(context: MigrationContext): Record<string, Migration> {
  return {
    '0001-foundation': foundation(context),
    '0002-postgres-ledger-guard': postgresLedgerGuard(context),
    '0004-unit-weights': unitWeights(),
    '0006-sign-in': signIn(),
    '0007-mail-and-identities': mailAndIdentities(),
    '0008-usage-roll-ups': usageRollUps(context),
    '0009-entries-beside-charges': entriesBesideCharges(),
    '0010-orders': orders(context),
    '0011-administrators': administrators(),
    '0012-managed-items': managedItems(),
    '0013-account-notices': accountNotices(),
    '0014-longer-cache-lives': longerCacheLives(),
    '0015-key-rules': keyRules(),
    '0016-usage-of-accounts': usageOfAccounts(context),
    '0017-idempotency-claims': idempotencyClaims(),
    '0020-attempts': attempts(),
    '0021-routing': routing(),
    '0022-package-position': packagePosition(),
    '0022-provider-credentials': providerCredentials(),
    '0024-provider-health': providerHealth(),
    '0025-service-nodes': serviceNodes(),
    '0026-closed-accounts': closedAccounts(),
    '0027-entries-of-accounts': entriesOfAccounts(context),
    '0028-guards-find-tables': guardsFindTables(context),
    '0029-entries-beside-charges-covered': entriesBesideChargesCovered(),
  }
}

/** The names of all migrations that this version knows. */
export function knownMigrations(context: MigrationContext): ReadonlySet<string> {
  return new Set(Object.keys(allMigrations(context)))
}

function forEngine({ up }: Migration, { engine }: MigrationContext): Migration {
  // Kysely hands a migration a database of any kind, and the plugin changes nothing about its type.
  return engine === 'postgres' ? { up: db => up(db.withPlugin(postgresColumns)) } : { up }
}

/**
 * Brings the schema up to date. Throws one clear line when a migration fails, or when the database was written by a
 * newer version of the service: serving on a schema that we do not know would put the books at risk.
 */
export async function migrate<Schema>(db: Kysely<Schema>, context: MigrationContext): Promise<void> {
  const migrations = Object.entries(allMigrations(context)).map(
    ([name, migration]) => [name, forEngine(migration, context)] as const,
  )
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(result => result.status === 'Error')?.migrationName
  const reason = error instanceof Error ? error.message : String(error)
  throw new Error(failed ? `Migration ${failed} failed: ${reason}` : `Unknown database schema: ${reason}`)
}
