import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '#lib/money.ts'
import type { CreditLotRow } from '#storage/sales-tables.ts'
import { amountAtEnd, remainingOfLots } from './credit-lots.ts'

function lot(id: string, given: Partial<Record<keyof CreditLotRow, number | bigint | null>>): CreditLotRow {
  const amount = micros(BigInt(given.amount_micros ?? 10))
  return {
    id,
    account_id: 'acc',
    amount_micros: amount,
    used_before_micros: micros(BigInt(given.used_before_micros ?? 0)),
    usable_micros: micros(BigInt(given.usable_micros ?? amount)),
    expires_at: Number(given.expires_at ?? 100),
    expired_at: given.expired_at == null ? null : Number(given.expired_at),
    used_at_expiry_micros:
      given.used_at_expiry_micros == null ? null : micros(BigInt(given.used_at_expiry_micros)),
    expired_micros: null,
    created_at: Number(given.created_at ?? 0),
  }
}

const left = (lots: CreditLotRow[], used: bigint) => Object.fromEntries(remainingOfLots(lots, micros(used)))

describe('what is left of credits that end', () => {
  test('what was used before they were granted does not count against them', () => {
    expect(left([lot('a', { used_before_micros: 7 })], 7n)).toEqual({ a: 10n })
    expect(left([lot('a', { used_before_micros: 7 })], 9n)).toEqual({ a: 8n })
  })

  test('those that end soonest are used first, whenever they were granted', () => {
    const lots = [lot('late', { expires_at: 200 }), lot('soon', { expires_at: 100, created_at: 1 })]
    expect(left(lots, 4n)).toEqual({ late: 10n, soon: 6n })
    expect(left(lots, 13n)).toEqual({ late: 7n, soon: 0n })
  })

  test('what was used after an end is not taken from the lot that ended', () => {
    const ended = lot('a', { expires_at: 100, expired_at: 100, used_at_expiry_micros: 4 })
    expect(left([ended, lot('b', { expires_at: 200 })], 9n)).toEqual({ b: 5n })
  })

  test('a grant that paid a debt leaves only the rest of it', () => {
    expect(left([lot('a', { amount_micros: 10, usable_micros: 3 })], 0n)).toEqual({ a: 3n })
  })

  test('an end never takes more than the account has', () => {
    expect(amountAtEnd(micros(8n), 5n)).toBe(5n)
    expect(amountAtEnd(micros(8n), -5n)).toBe(0n)
    expect(amountAtEnd(micros(8n), 50n)).toBe(8n)
  })

  test('is never below zero nor above what was usable, and what is used comes out of the lots exactly', () => {
    const grants = fc.array(
      fc.record({
        amount: fc.integer({ min: 1, max: 50 }),
        at: fc.integer({ min: 0, max: 100 }),
        ends: fc.nat(9),
      }),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(grants, fc.integer({ min: 0, max: 300 }), (given, more) => {
        const lots = given.map(({ amount, at, ends }, index) =>
          lot(`l${index}`, {
            amount_micros: amount,
            used_before_micros: at,
            expires_at: 1000 + ends,
            created_at: index,
          }),
        )
        const used = 100n + BigInt(more)
        const remaining = remainingOfLots(lots, micros(used))
        let sum = 0n
        for (const each of lots) {
          const rest = remaining.get(each.id) ?? -1n
          expect(rest >= 0n && rest <= each.usable_micros).toBe(true)
          sum += each.usable_micros - rest
        }
        // Without an end in between, whatever was used since the first grant came out of lots as far as there were any.
        const first = lots.reduce(
          (least, each) => (each.used_before_micros < least ? each.used_before_micros : least),
          used,
        )
        expect(sum <= used - first).toBe(true)
        if (sum < used - first && lots.length > 0) {
          const last = lots.reduce(
            (most, each) => (each.used_before_micros > most ? each.used_before_micros : most),
            0n,
          )
          const isEmptied = [...remaining.values()].every(rest => rest === 0n)
          const hadGap = last > first
          expect(isEmptied || hadGap).toBe(true)
        }
      }),
    )
  })
})
