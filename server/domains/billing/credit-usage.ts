import type { CreditUsage } from '#contract/accounts.ts'
import { creditsFromMicros, micros, ZERO_MICROS } from '#lib/money.ts'
import type { Balance } from '#storage/storage.ts'

/** Below this share of what was last allocated, what is left is called low. */
const LOW_DIVISOR = 10n

/** What an account has, as every route shows it. `remaining` never shows a debt: the next purchase pays it first. */
export function creditUsage(balance: Omit<Balance, 'sequence'>): CreditUsage {
  const left = micros(balance.allocatedMicros - balance.usedMicros)
  const remaining = left > 0n ? left : ZERO_MICROS
  return {
    used: creditsFromMicros(balance.usedMicros),
    quota: creditsFromMicros(balance.allocatedMicros),
    remaining: creditsFromMicros(remaining),
    credit_status: creditStatusOf(balance),
  }
}

/** Whether there are credits left, and whether they are few. */
export function creditStatusOf(balance: Omit<Balance, 'sequence'>): CreditUsage['credit_status'] {
  const left = balance.allocatedMicros - balance.usedMicros
  if (left <= 0n) return 'exhausted'
  return left * LOW_DIVISOR < balance.lastAllocationMicros ? 'low' : 'active'
}
