import { formatCount } from '#web/ui/numbers.ts'

/** US dollars by an exact decimal, for the eye: cut to cents, or to the first two digits that are not 0 below a cent. */
export function formatUsd(decimal: string): string {
  const [whole = '0', places = ''] = decimal.split('.')
  const first = places.search(/[1-9]/)
  const shown = whole === '0' && first > 1 ? first + 2 : 2
  return `$${formatCount(Number(whole))}.${places.slice(0, shown).padEnd(2, '0')}`
}
