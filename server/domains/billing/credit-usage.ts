import type { CreditUsage } from '#contract/accounts.ts'
import { creditsFromMicros, micros, ZERO_MICROS } from '#lib/money.ts'
import type { Balance } from '#storage/storage.ts'

type Amounts = Omit<Balance, 'sequence'>

/** What an account has, as every route shows it. `remaining` never shows a debt: the next purchase pays it first. */
export function creditUsage(balance: Amounts, lowPercent: number): CreditUsage {
  const left = micros(balance.allocatedMicros - balance.usedMicros)
  const remaining = left > 0n ? left : ZERO_MICROS
  return {
    used: creditsFromMicros(balance.usedMicros),
    quota: creditsFromMicros(balance.allocatedMicros),
    remaining: creditsFromMicros(remaining),
    credit_status: creditStatusOf(balance, lowPercent),
  }
}

/**
 * Whether there are credits left, and whether they are few: less than so many percent, a whole number, of what was last
 * allocated (the setting `low_balance_percent`).
 */
export function creditStatusOf(balance: Amounts, lowPercent: number): CreditUsage['credit_status'] {
  const left = balance.allocatedMicros - balance.usedMicros
  if (left <= 0n) return 'exhausted'
  return left * 100n < balance.lastAllocationMicros * BigInt(lowPercent) ? 'low' : 'active'
}
