import type { z } from 'zod'
import type { promoCode } from '#contract/promo-codes.ts'
import { rfc3339 } from '#lib/clock.ts'
import { creditsFromMicros } from '#lib/money.ts'
import type { PromoCodeRow } from '#storage/sales-tables.ts'

export type PromoCodeRecord = z.infer<typeof promoCode>

/** A promotional code as operators see it. */
export function toPromoCodeRecord(row: PromoCodeRow): PromoCodeRecord {
  return {
    id: row.id,
    object: 'promo_code',
    code: row.code,
    credits: creditsFromMicros(row.credits_micros),
    max_uses: row.max_uses,
    max_uses_per_account: row.max_uses_per_account,
    uses: row.uses,
    valid_days: row.valid_days,
    expires_at: row.expires_at === null ? null : rfc3339(row.expires_at),
    enabled: row.enabled === 1,
    note: row.note,
    created_at: rfc3339(row.created_at),
  }
}
