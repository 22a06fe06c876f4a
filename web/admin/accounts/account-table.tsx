import { Link } from '@tanstack/react-router'
import type { Account } from '#web/api/admin/accounts.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { AccountState } from './account-state.tsx'

const COLUMNS: readonly Column<Account>[] = [
  {
    header: 'Account',
    isName: true,
    className: 'sm:max-w-72',
    cell: ({ id, name, owner }) => (
      <span className="flex min-w-0 flex-col">
        <Link
          to="/accounts/$accountId"
          params={{ accountId: id }}
          className={`${textLinkClasses} break-words`}
        >
          {name}
        </Link>
        <span className="text-xs font-normal break-words text-muted">{owner.email}</span>
      </span>
    ),
  },
  { header: 'State', cell: account => <AccountState account={account} /> },
  { header: 'Credits left', align: 'end', cell: ({ remaining }) => formatCredits(remaining) },
  { header: 'Used', align: 'end', cell: ({ used }) => formatCredits(used) },
  { header: 'Made', cell: ({ created_at }) => <DateTime value={created_at} show="day" /> },
]

export function AccountTable({ accounts }: { readonly accounts: readonly Account[] }) {
  return <Table caption="Accounts" columns={COLUMNS} rows={accounts} rowKey={({ id }) => id} />
}
