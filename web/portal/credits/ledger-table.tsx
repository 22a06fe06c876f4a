import { Link } from '@tanstack/react-router'
import type { EntryKind } from '#contract/ledger.ts'
import type { LedgerEntry } from '#web/api/client/credits.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'

const KINDS: Record<EntryKind, string> = {
  charge: 'Charge',
  purchase: 'Purchase',
  grant: 'Grant',
  adjustment: 'Adjustment',
  refund: 'Refund',
}

const COLUMNS: readonly Column<LedgerEntry>[] = [
  { header: 'Entry', isName: true, className: 'sm:max-w-80', cell: entry => <EntryName entry={entry} /> },
  { header: 'When', cell: ({ created_at }) => <DateTime value={created_at} /> },
  {
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) => (
      <span className={amount > 0 ? 'text-good' : undefined}>{formatCredits(amount, { signed: true })}</span>
    ),
  },
  { header: 'Balance after', align: 'end', cell: entry => formatCredits(entry.balance_after) },
]

/** Changes of the balance, each with the balance after it. */
export function LedgerTable({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  return <Table caption="Changes of the balance" columns={COLUMNS} rows={entries} rowKey={({ id }) => id} />
}

function EntryName({ entry: { kind, note, order_id, request_id } }: { readonly entry: LedgerEntry }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="font-medium">{KINDS[kind]}</span>
      {note !== '' && <span className="text-xs font-normal break-words text-muted">{note}</span>}
      {request_id !== null && (
        <Link
          to="/requests/$requestId"
          params={{ requestId: request_id }}
          className="font-mono text-xs font-normal break-all text-muted underline underline-offset-3 hover:text-ink"
        >
          {request_id}
        </Link>
      )}
      {order_id !== null && (
        <span className="text-xs font-normal">
          <Link to="/credits/orders/$orderId" params={{ orderId: order_id }} className={textLinkClasses}>
            See the order
          </Link>
        </span>
      )}
    </span>
  )
}
