/**
 * Granted credits with an end date. They are used first, those that end soonest before the others. Nothing is written
 * when a request uses them: how much of each is left follows from what the account had used when it was granted, when
 * others ended, and now.
 */
import { type Micros, micros, ZERO_MICROS } from '#lib/money.ts'
import type { CreditLotRow } from '#storage/sales-tables.ts'

/** What is left of each lot that has not ended, by its id, when the account has used so much in all. */
export function remainingOfLots(
  lots: readonly CreditLotRow[],
  usedMicros: Micros,
): ReadonlyMap<string, Micros> {
  const left = new Map<CreditLotRow, bigint>()
  let usedSoFar = 0n
  for (const event of inOrder(lots)) {
    spend(left, event.usedMicros - usedSoFar)
    usedSoFar = event.usedMicros
    if (event.kind === 'granted') left.set(event.lot, event.lot.usable_micros)
    else left.delete(event.lot)
  }
  spend(left, usedMicros - usedSoFar)
  return new Map([...left].map(([lot, amount]) => [lot.id, micros(amount)]))
}

type LotEvent = {
  readonly kind: 'granted' | 'ended'
  readonly lot: CreditLotRow
  readonly usedMicros: bigint
  readonly at: number
}

function inOrder(lots: readonly CreditLotRow[]): LotEvent[] {
  const events = lots.flatMap((lot): LotEvent[] => {
    const granted = { kind: 'granted' as const, lot, usedMicros: lot.used_before_micros, at: lot.created_at }
    if (lot.expired_at === null || lot.used_at_expiry_micros === null) return [granted]
    return [granted, { kind: 'ended', lot, usedMicros: lot.used_at_expiry_micros, at: lot.expired_at }]
  })
  return events.sort((a, b) => compare(a.usedMicros, b.usedMicros) || a.at - b.at)
}

function spend(left: Map<CreditLotRow, bigint>, amount: bigint): void {
  let due = amount
  for (const lot of [...left.keys()].sort((a, b) => a.expires_at - b.expires_at || compare(a.id, b.id))) {
    if (due <= 0n) return
    const has = left.get(lot) ?? 0n
    const used = has < due ? has : due
    left.set(lot, has - used)
    due -= used
  }
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** What an ending lot takes along: what is left of it, and never more than the account has. */
export function amountAtEnd(remaining: Micros, balanceMicros: bigint): Micros {
  const most = balanceMicros > 0n ? balanceMicros : ZERO_MICROS
  return micros(remaining < most ? remaining : most)
}
