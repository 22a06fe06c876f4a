import { type Micros, micros, ZERO_MICROS } from '#lib/money.ts'
import { HOUR_MS } from '#storage/roll-ups/usage-tables.ts'
import type { Storage } from '#storage/storage.ts'

export type CapPeriod = 'day' | 'month'

/** A calendar day or month in UTC: from its first millisecond to the one after its last. */
export type Span = { readonly startMs: number; readonly endMs: number }

/** The day or month that a moment belongs to. */
export function periodAt(period: CapPeriod, nowMs: number): Span {
  const now = new Date(nowMs)
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return period === 'day'
    ? { startMs: Date.UTC(year, month, day), endMs: Date.UTC(year, month, day + 1) }
    : { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) }
}

/**
 * What a key was charged for requests that came in within the span, as of now: every charge that was committed before
 * this was asked is in it. Hours of usage are written with the charges themselves, so few rows tell it.
 */
export async function readSpending(
  { db }: Pick<Storage, 'db'>,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  { startMs, endMs }: Span,
): Promise<Micros> {
  const hours = Array.from({ length: (endMs - startMs) / HOUR_MS }, (_, hour) => startMs + hour * HOUR_MS)
  const rows = await db
    .selectFrom('usage_hours')
    .select('charge_micros')
    // Hour by hour the rows of one key are found by the table's own order, however many keys there are.
    .where('started_at', 'in', hours)
    .where('account_id', '=', accountId)
    .where('key_id', '=', keyId)
    .execute()
  return rows.reduce((sum, row) => micros(sum + row.charge_micros), ZERO_MICROS)
}
