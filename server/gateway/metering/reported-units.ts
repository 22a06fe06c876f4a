import { MOST_UNITS } from '#domains/billing/unit-weights.ts'

/** A number of units as an upstream reports it, in whole ones, rounded up; null for what is none. */
export function reportedUnits(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return null
  return number > MOST_UNITS ? null : Math.ceil(number)
}
