const DAY_MS = 24 * 60 * 60 * 1000

/** When a new key can be made to expire. */
export const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const

/** The moment that a choice among them stands for; null for never. */
export function expiryOf(chosen: unknown): string | null {
  return chosen === 'never' ? null : new Date(Date.now() + Number(chosen) * DAY_MS).toISOString()
}
