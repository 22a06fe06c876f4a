import type { EntryKind } from '#contract/ledger.ts'

/** What of a ledger can be looked at by itself. */
export const SHOWN_ENTRIES: Record<
  string,
  { readonly label: string; readonly kinds?: readonly EntryKind[] }
> = {
  all: { label: 'Every entry' },
  received: {
    label: 'All but charges',
    kinds: ['purchase', 'grant', 'adjustment', 'refund'],
  },
  charges: { label: 'Charges', kinds: ['charge'] },
}

export const SHOWN_CHOICES = Object.entries(SHOWN_ENTRIES).map(([value, { label }]) => ({ value, label }))
