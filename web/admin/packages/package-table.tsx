import type { CreditPackage } from '#web/api/admin/packages.ts'
import { Badge } from '#web/ui/badge.tsx'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { type Column, Table } from '#web/ui/table.tsx'
import { ManagedBadge, useManaged } from '../catalog/managed.tsx'
import { usePermissions } from '../layout/permissions.tsx'
import { PackageMenu } from './package-menu.tsx'

export function PackageTable({ packages }: { readonly packages: readonly CreditPackage[] }) {
  const isManaged = useManaged('package')
  const { mayChange } = usePermissions()
  const columns: readonly Column<CreditPackage>[] = [
    {
      header: 'Package',
      isName: true,
      className: 'sm:max-w-64',
      cell: ({ name }) => <span className="font-medium break-words">{name}</span>,
    },
    {
      header: 'State',
      cell: ({ id, on_sale }) => (
        <span className="inline-flex flex-wrap gap-2">
          {on_sale ? <Badge tone="good">On sale</Badge> : <Badge>Not on sale</Badge>}
          {isManaged(id) && <ManagedBadge />}
        </span>
      ),
    },
    { header: 'Credits', align: 'end', cell: ({ credits }) => formatCredits(credits, { minDecimals: 0 }) },
    { header: 'Price', align: 'end', cell: ({ price }) => formatMoney(price.amount, price.currency) },
    { header: 'Position', align: 'end', cell: ({ position }) => position },
    { header: 'Made', cell: ({ created_at }) => <DateTime value={created_at} show="day" /> },
    ...(mayChange
      ? [
          {
            header: 'Actions',
            hideHeader: true,
            align: 'end' as const,
            cell: (sold: CreditPackage) => !isManaged(sold.id) && <PackageMenu sold={sold} />,
          },
        ]
      : []),
  ]
  return <Table caption="Packages" columns={columns} rows={packages} rowKey={({ id }) => id} />
}
