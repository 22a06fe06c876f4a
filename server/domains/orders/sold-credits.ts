import type { Overview } from '#contract/overview.ts'
import { creditsFromMicros, micros } from '#lib/money.ts'
import type { Storage } from '#storage/storage.ts'

export type Span = { readonly fromMs: number; readonly toMs: number }

/** What was sold within a span, by the moment of payment. What was refunded later is part of it all the same. */
export async function readSoldCredits(
  { db }: Pick<Storage, 'db'>,
  { fromMs, toMs }: Span,
): Promise<Overview['sold']> {
  const rows = await db
    .selectFrom('orders')
    .select(['currency', 'credits_micros', 'price_minor'])
    .where('paid_at', '>=', fromMs)
    .where('paid_at', '<', toMs)
    .execute()
  const money = new Map<string, number>()
  for (const { currency, price_minor: price } of rows) money.set(currency, (money.get(currency) ?? 0) + price)
  return {
    orders: rows.length,
    credits: creditsFromMicros(micros(rows.reduce((sum, row) => sum + row.credits_micros, 0n))),
    money: [...money].map(([currency, amount]) => ({ currency, amount })),
  }
}
