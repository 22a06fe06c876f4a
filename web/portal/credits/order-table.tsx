import { Link } from '@tanstack/react-router'
import type { Order } from '#web/api/client/orders.ts'
import { StateBadge } from '#web/orders/state-badge.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { type Column, Table } from '#web/ui/table.tsx'

const COLUMNS: readonly Column<Order>[] = [
  {
    header: 'Package',
    isName: true,
    className: 'sm:max-w-64',
    cell: ({ id, package: { name }, automatic }) => (
      <span className="flex min-w-0 flex-col">
        <Link
          to="/credits/orders/$orderId"
          params={{ orderId: id }}
          className="font-medium break-words hover:text-gold hover:underline"
        >
          {name}
        </Link>
        {automatic && <span className="text-xs font-normal text-muted">Automatic top-up</span>}
      </span>
    ),
  },
  { header: 'State', cell: order => <Standing order={order} /> },
  { header: 'Ordered', cell: ({ created_at }) => <DateTime value={created_at} /> },
  { header: 'Credits', align: 'end', cell: ({ credits }) => formatCredits(credits) },
  { header: 'Price', align: 'end', cell: ({ price }) => formatMoney(price.amount, price.currency) },
]

export function OrderTable({ orders }: { readonly orders: readonly Order[] }) {
  return <Table caption="Your orders" columns={COLUMNS} rows={orders} rowKey={({ id }) => id} />
}

/** How an order stands, and until when it can be paid. */
function Standing({ order: { state, expires_at } }: { readonly order: Order }) {
  return (
    <span className="inline-flex flex-col items-start gap-1 max-sm:items-end">
      <StateBadge state={state} />
      {state === 'awaiting_payment' && expires_at !== null && (
        <span className="text-xs text-muted">
          until <DateTime value={expires_at} />
        </span>
      )}
    </span>
  )
}
