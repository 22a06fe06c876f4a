import type { z } from 'zod'
import type { adminPackage, creditPackage } from '#contract/catalog.ts'
import { rfc3339 } from '#lib/clock.ts'
import { creditsFromMicros } from '#lib/money.ts'
import type { PackageRow } from '#storage/tables.ts'

export type CreditPackage = z.infer<typeof creditPackage>
export type PackageRecord = z.infer<typeof adminPackage>

/** A credit package as buyers see it. */
export function toPackage(row: PackageRow): CreditPackage {
  return {
    id: row.id,
    object: 'package',
    name: row.name,
    credits: creditsFromMicros(row.credits_micros),
    price: { amount: row.price_minor, currency: row.currency },
  }
}

/** A credit package as administrators see it. */
export function toPackageRecord(row: PackageRow): PackageRecord {
  return {
    ...toPackage(row),
    on_sale: row.on_sale === 1,
    position: row.position,
    created_at: rfc3339(row.created_at),
  }
}
