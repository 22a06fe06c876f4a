import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { EntryKind, ledgerEntry } from '#contract/ledger.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

type Entry = z.output<typeof ledgerEntry>

const ENTRY_KINDS: Record<EntryKind, string> = {
  charge: 'Charge',
  purchase: 'Purchase',
  grant: 'Grant',
  adjustment: 'Adjustment',
  refund: 'Refund',
}

export type EntryTableProps = {
  readonly entries: readonly Entry[]
  /** What leads to the order that an entry is about: the applications have it in different places. */
  readonly orderOf: (orderId: string) => ReactNode
}

/** Changes of a balance, each with the balance after it. */
export function EntryTable({ entries, orderOf }: EntryTableProps) {
  const columns: readonly Column<Entry>[] = [
    {
      header: 'Entry',
      isName: true,
      className: 'sm:max-w-80',
      cell: entry => <EntryName entry={entry} orderOf={orderOf} />,
    },
    { header: 'When', cell: ({ created_at }) => <DateTime value={created_at} /> },
    {
      header: 'Amount',
      align: 'end',
      cell: ({ amount }) => (
        <span className={amount > 0 ? 'text-good' : undefined}>
          {formatCredits(amount, { signed: true })}
        </span>
      ),
    },
    { header: 'Balance after', align: 'end', cell: entry => formatCredits(entry.balance_after) },
  ]
  return <Table caption="Changes of the balance" columns={columns} rows={entries} rowKey={({ id }) => id} />
}

type EntryNameProps = Omit<EntryTableProps, 'entries'> & { readonly entry: Entry }

function EntryName({ entry, orderOf }: EntryNameProps) {
  const { kind, note, request_id: requestId, order_id: orderId } = entry
  return (
    <span className="flex min-w-0 flex-col">
      <span className="font-medium">{ENTRY_KINDS[kind]}</span>
      {note !== '' && <span className="text-xs font-normal break-words text-muted">{note}</span>}
      {requestId !== null && (
        <span className="font-mono text-xs font-normal break-all text-muted">
          <Link
            to="/requests/$requestId"
            params={{ requestId }}
            className="underline underline-offset-3 hover:text-ink"
          >
            {requestId}
          </Link>
        </span>
      )}
      {orderId !== null && <span className="text-xs font-normal">{orderOf(orderId)}</span>}
    </span>
  )
}
