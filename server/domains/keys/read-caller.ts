import type { SettingsRegister } from '#domains/settings/settings.ts'
import type { Storage } from '#storage/storage.ts'
import type { Caller, OwnKey } from './caller.ts'
import { effectiveLimits } from './key-record.ts'
import { modelsOf } from './key-rules.ts'

/**
 * Reads who stands behind a token, or behind a key that its owner names, from the store; its expiry is for the one who
 * asks to check, against the clock.
 */
export async function readCaller(
  { storage, settings }: { readonly storage: Storage; readonly settings: SettingsRegister },
  key: { readonly tokenHash: string } | OwnKey,
): Promise<Caller | null> {
  const [row, { default_limits }] = await Promise.all([
    storage.db
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select([
        'api_keys.id',
        'api_keys.user_id',
        'users.account_id',
        'api_keys.limit_requests',
        'api_keys.limit_window_seconds',
        'api_keys.limit_concurrency',
        'api_keys.models_json',
        'api_keys.spending_cap_micros',
        'api_keys.spending_cap_period',
        'api_keys.expires_at',
      ])
      .where(eb =>
        'tokenHash' in key
          ? eb('api_keys.token_hash', '=', key.tokenHash)
          : eb.and({ 'api_keys.id': key.keyId, 'api_keys.user_id': key.userId }),
      )
      .where('api_keys.revoked_at', 'is', null)
      .where('users.status', '=', 'active')
      .where('accounts.status', '=', 'active')
      .executeTakeFirst(),
    settings.get(),
  ])
  if (!row) return null
  const limits = effectiveLimits(row, default_limits)
  const models = modelsOf(row)
  const { spending_cap_micros: micros, spending_cap_period: period } = row
  return {
    keyId: row.id,
    userId: row.user_id,
    accountId: row.account_id,
    limits: {
      requests: limits.requests,
      windowSeconds: limits.window_seconds,
      concurrency: limits.concurrency,
    },
    models: models && new Set(models),
    spendingCap: micros === null || period === null ? null : { micros, period },
    expiresAt: row.expires_at,
  }
}
