import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccountCredits } from '#domains/accounts/account-credits.ts'
import { createAccounts } from '#domains/accounts/accounts.ts'
import { createUsers } from '#domains/accounts/users.ts'
import { createAudit } from '#domains/audit/audit.ts'
import { createExpiringCredits } from '#domains/billing/expiring-credits.ts'
import { createLedger } from '#domains/billing/ledger.ts'
import { createManagedItems } from '#domains/configuration/managed-items.ts'
import { createPasswords } from '#domains/identity/passwords.ts'
import { createCallerDirectory } from '#domains/keys/caller-directory.ts'
import { createKeyUseRecorder } from '#domains/keys/key-use-recorder.ts'
import { createKeys } from '#domains/keys/keys.ts'
import { createSettings } from '#domains/settings/settings.ts'
import { createRequestRecords } from '#domains/usage/request-records.ts'
import { createUsage } from '#domains/usage/usage.ts'
import { createLocalChanges } from '#lib/changes.ts'
import { createCipher } from '#lib/cipher.ts'
import { registerAdminRoutes } from '#server/admin/admin-routes.ts'
import type { Config } from '#server/config.ts'
import { createHttpApp } from '#server/http/frame.ts'
import { createIdentityParts } from '#server/identity-parts.ts'
import { registerPortalRoutes } from '#server/portal/portal-routes.ts'
import { type Log, silentLog } from '#telemetry/log.ts'
import { storesOf } from '#test/support/stores.ts'
import { createTestClock } from '#test/support/test-clock.ts'

export const ADMINISTRATOR = { email: 'root@example.org', password: 'the operator password' }

export type PeopleOptions = Partial<Pick<Config, 'publicUrl' | 'mail' | 'oidc'>> & { readonly log?: Log }

export type PeopleService = Awaited<ReturnType<typeof startPeopleService>>

/** Portal and administration on a real store in a folder of their own, without the inference routes. */
export async function startPeopleService({
  publicUrl = null,
  mail = null,
  oidc = null,
  log = silentLog,
}: PeopleOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'goldweight-people-'))
  const stores = await storesOf(folder)
  const storage = await stores.open()
  const clock = createTestClock()
  const changes = createLocalChanges()
  /** How long each held-up sign-in was to wait; nothing really waits. */
  const delays: number[] = []

  const base = { storage, clock, changes }
  const cipher = createCipher('a secret of the tests')
  const audit = createAudit(base)
  const settings = createSettings({ ...base, audit })
  const sleep = async (ms: number) => delays.push(ms)
  const config = { mail, oidc }
  // A hundred guesses at a password take seconds at its real cost, which is shown elsewhere.
  const passwords = createPasswords({ cost: { memoryCost: 64, timeCost: 1, parallelism: 1 } })
  const signing = createIdentityParts({ ...base, config, audit, cipher, settings, log, sleep, passwords })
  const { identity, features, signUp } = signing
  const ledger = createLedger(base)
  const keys = createKeys({ ...base, settings, audit })
  const parts = {
    ...identity,
    publicUrl,
    features,
    oidc: signing.oidc,
    signUp,
    secret: 'a secret of the tests',
    accounts: createAccounts({ ...base, ...identity, audit, settings }),
    credits: createAccountCredits({
      ...base,
      ledger,
      audit,
      expiringCredits: createExpiringCredits({ ...base, ledger, log: silentLog }),
    }),
    users: createUsers({ ...base, ...identity, audit }),
    keys,
    settings,
    audit,
    managedItems: createManagedItems({ storage }),
    requests: createRequestRecords(base),
    usage: createUsage(base),
  }
  await identity.administrators.createFirst(ADMINISTRATOR)
  const app = createHttpApp({ log, trustProxy: ['127.0.0.1'] })
  registerPortalRoutes(app, parts)
  registerAdminRoutes(app, parts)
  await app.ready()

  return {
    app,
    stores,
    storage,
    clock,
    changes,
    delays,
    folder,
    ledger,
    ...identity,
    outbox: signing.outbox,
    callers: createCallerDirectory({ ...base, settings }),
    keyUse: createKeyUseRecorder(base),
    close: async () => {
      await app.close()
      await signing.close()
      await storage.close()
      await rm(folder, { recursive: true })
    },
  }
}
