import { Link } from '@tanstack/react-router'
import type { LedgerEntry } from '#web/api/client/credits.ts'
import { EntryTable } from '#web/ledger/entry-table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'

/** Changes of the balance, with the way to the request or the order that one comes from. */
export function LedgerTable({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  return (
    <EntryTable
      entries={entries}
      requestOf={requestId => (
        <Link
          to="/requests/$requestId"
          params={{ requestId }}
          className="underline underline-offset-3 hover:text-ink"
        >
          {requestId}
        </Link>
      )}
      orderOf={orderId => (
        <Link to="/credits/orders/$orderId" params={{ orderId }} className={textLinkClasses}>
          See the order
        </Link>
      )}
    />
  )
}
