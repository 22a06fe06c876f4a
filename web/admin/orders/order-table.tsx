import { Link } from '@tanstack/react-router'
import type { Order } from '#web/api/admin/orders.ts'
import { PROCESSOR_WORDS } from '#web/orders/order-facts.tsx'
import { StateBadge } from '#web/orders/state-badge.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { type Column, Table } from '#web/ui/table.tsx'

const COLUMNS: readonly Column<Order>[] = [
  {
    header: 'Package',
    isName: true,
    className: 'sm:max-w-56',
    cell: ({ id, package: { name }, automatic }) => (
      <span className="flex min-w-0 flex-col">
        <Link
          to="/orders/$orderId"
          params={{ orderId: id }}
          className="font-medium break-words hover:text-gold hover:underline"
        >
          {name}
        </Link>
        {automatic && <span className="text-xs font-normal text-muted">Automatic top-up</span>}
      </span>
    ),
  },
  {
    header: 'Account',
    className: 'sm:max-w-64',
    cell: ({ account }) => (
      <span className="flex min-w-0 flex-col">
        <span className="break-words">{account.name}</span>
        <span className="text-xs break-all text-muted">{account.owner_email}</span>
      </span>
    ),
  },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { header: 'Paid by', cell: ({ processor }) => PROCESSOR_WORDS[processor] },
  { header: 'Ordered', cell: ({ created_at }) => <DateTime value={created_at} /> },
  { header: 'Price', align: 'end', cell: ({ price }) => formatMoney(price.amount, price.currency) },
]

export function OrderTable({ orders }: { readonly orders: readonly Order[] }) {
  return <Table caption="Orders" columns={COLUMNS} rows={orders} rowKey={({ id }) => id} />
}
