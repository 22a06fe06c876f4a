import type { CreditUsage } from '#contract/accounts.ts'
import { creditsFromMicros, micros, ZERO_MICROS } from '#lib/money.ts'
import type { Balance } from '#storage/storage.ts'

/** Below this share of what was last allocated, what is left is called low. */
const LOW_DIVISOR = 10n

/** What an account has, as every route shows it. `remaining` never shows a debt: the next purchase pays it first. */
export function creditUsage(balance: Omit<Balance, 'sequence'>): CreditUsage {
  const left = micros(balance.allocatedMicros - balance.usedMicros)
  const remaining = left > 0n ? left : ZERO_MICROS
  const low = left * LOW_DIVISOR < balance.lastAllocationMicros
  return {
    used: creditsFromMicros(balance.usedMicros),
    quota: creditsFromMicros(balance.allocatedMicros),
    remaining: creditsFromMicros(remaining),
    credit_status: left <= 0n ? 'exhausted' : low ? 'low' : 'active',
  }
}
